import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The requests of one connection: whether one is being answered, and those that wait. */
type ConnectionQueue = { isBusy: boolean; waiting: [IncomingMessage, ServerResponse][] };

/**
 * Answers the requests of a connection one at a time. Node would start every request that it has read: a client that sends thousands and
 * reads no answer would fill the memory. At most the requests of one read (64 KiB) wait in memory.
 */
export function oneAtATime(answer: RequestListener): RequestListener {
  const queues = new WeakMap<Socket, ConnectionQueue>();

  const begin = (queue: ConnectionQueue, req: IncomingMessage, res: ServerResponse): void => {
    queue.isBusy = true;
    const { socket } = req;
    res.once('close', () => {
      queue.isBusy = false;
      const next = queue.waiting.shift();
      // After the last answer of a connection no request begins.
      if (!next || !socket.writable) return;
      // The body of the last request may still have to arrive.
      if (queue.waiting.length === 0) socket.resume();
      begin(queue, ...next);
    });
    answer(req, res);
  };

  const queueOf = (socket: Socket): ConnectionQueue => {
    const queue: ConnectionQueue = { isBusy: false, waiting: [] };
    queues.set(socket, queue);
    // A handler that reads or drops a body makes Node read on.
    socket.on('resume', () => {
      if (queue.waiting.length > 0) socket.pause();
    });
    socket.once('close', () => {
      queue.waiting = [];
    });
    return queue;
  };

  return (req, res) => {
    const queue = queues.get(req.socket) ?? queueOf(req.socket);
    if (!queue.isBusy) return begin(queue, req, res);
    queue.waiting.push([req, res]);
    req.socket.pause();
  };
}
