import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The requests of one connection: whether one is being answered, and those that came behind it. */
type ConnectionQueue = { isBusy: boolean; waiting: [IncomingMessage, ServerResponse][] };

/**
 * Answers the requests of each connection one by one: the next begins when the answer before it has left. Node begins every
 * request as soon as it has read it, and reads on while few bytes of answers wait, so that a caller who sends thousands
 * and reads nothing would have all their answers made. Here at most those of one read (64 KiB) wait in memory, the rest
 * in the socket.
 */
export function oneAtATime(answer: RequestListener): RequestListener {
  const queues = new WeakMap<Socket, ConnectionQueue>();

  const begin = (queue: ConnectionQueue, req: IncomingMessage, res: ServerResponse): void => {
    queue.isBusy = true;
    const { socket } = req;
    res.once('close', () => {
      queue.isBusy = false;
      const next = queue.waiting.shift();
      // Nothing that stands behind the last answer of a connection is begun.
      if (!next || !socket.writable) return;
      // The last one's body may still have to come.
      if (queue.waiting.length === 0) socket.resume();
      begin(queue, ...next);
    });
    answer(req, res);
  };

  const queueOf = (socket: Socket): ConnectionQueue => {
    const queue: ConnectionQueue = { isBusy: false, waiting: [] };
    queues.set(socket, queue);
    // What reads a body, or drops it, makes Node read the connection on.
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
