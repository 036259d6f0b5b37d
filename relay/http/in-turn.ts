import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The requests of one connection: whether one is being answered, and those that came behind it. */
type Line = { isBusy: boolean; waiting: [IncomingMessage, ServerResponse][] };

/**
 * Answers the requests of each connection one by one: the next begins when the answer before it has left. Node begins every
 * request as soon as it has read it, and reads on while few bytes of answers wait, so that a caller who sends thousands
 * and reads nothing would have all their answers made. Here at most those of one read (64 KiB) wait in memory, the rest
 * in the socket.
 */
export function inTurn(answer: RequestListener): RequestListener {
  const lines = new WeakMap<Socket, Line>();

  const begin = (line: Line, req: IncomingMessage, res: ServerResponse): void => {
    line.isBusy = true;
    const { socket } = req;
    res.once('close', () => {
      line.isBusy = false;
      const next = line.waiting.shift();
      // Nothing that stands behind the last answer of a connection is begun.
      if (!next || !socket.writable) return;
      // The last one's body may still have to come.
      if (line.waiting.length === 0) socket.resume();
      begin(line, ...next);
    });
    answer(req, res);
  };

  const lineOf = (socket: Socket): Line => {
    const line: Line = { isBusy: false, waiting: [] };
    lines.set(socket, line);
    // What reads a body, or drops it, makes Node read the connection on.
    socket.on('resume', () => {
      if (line.waiting.length > 0) socket.pause();
    });
    socket.once('close', () => {
      line.waiting = [];
    });
    return line;
  };

  return (req, res) => {
    const line = lines.get(req.socket) ?? lineOf(req.socket);
    if (!line.isBusy) return begin(line, req, res);
    line.waiting.push([req, res]);
    req.socket.pause();
  };
}
