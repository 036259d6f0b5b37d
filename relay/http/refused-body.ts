import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';

/** So much of a refused body is read and forgotten. */
export const MAX_DRAINED_BYTES = 4_194_304;

/** How long a caller may pause while it sends the rest, and how many such times it gets in all. */
const MAX_PAUSE_MS = 5000;
const MAX_PAUSES = 12;

/**
 * Reads what a caller still sends and forgets it, up to 4 MiB, so that it can read why it was refused: a connection that is
 * closed with bytes unread is reset, and the answer is lost. Fulfilled at the end, after 4 MiB, after five seconds without
 * a byte, and after a minute.
 */
export function drained(source: Readable): Promise<void> {
  return new Promise((done) => {
    let left = MAX_DRAINED_BYTES;
    let pauses = 0;
    let leftBefore = left;
    const end = (): void => {
      clearInterval(timer);
      source.off('data', count);
      for (const event of ['end', 'close', 'error']) source.off(event, end);
      done();
    };
    const count = (chunk: Buffer): void => {
      left -= chunk.length;
      if (left < 0) end();
    };
    const timer = setInterval(() => {
      pauses += 1;
      if (left === leftBefore || pauses === MAX_PAUSES) end();
      leftBefore = left;
    }, MAX_PAUSE_MS);
    source.on('data', count);
    for (const event of ['end', 'close', 'error']) source.once(event, end);
    source.resume();
  });
}

/** What has not arrived of a request's body: nothing, no more than is drained, or perhaps more than that. */
export function unreadBody({ complete, headers }: IncomingMessage): 'none' | 'short' | 'long' {
  if (complete) return 'none';
  if (headers['transfer-encoding'] !== undefined) return 'long';
  const length = Number(headers['content-length'] ?? 0);
  if (length === 0) return 'none';
  return length <= MAX_DRAINED_BYTES ? 'short' : 'long';
}

/** Calls `refuse` when more than `limit` bytes of a body have come: a parser says so only when it has read the whole of it. */
export function refuseLonger(req: IncomingMessage, limit: number, refuse: () => void): void {
  let read = 0;
  const count = (chunk: Buffer): void => {
    read += chunk.length;
    if (read <= limit) return;
    req.off('data', count);
    refuse();
  };
  req.on('data', count);
}
