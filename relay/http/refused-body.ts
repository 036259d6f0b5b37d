import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';

/** The maximum number of bytes of a refused body that are read and dropped. */
export const MAX_DRAINED_BYTES = 4_194_304;

/** The maximum pause of a client that sends the rest, and the maximum number of such pauses. */
const MAX_PAUSE_MS = 5000;
const MAX_PAUSES = 12;

/**
 * Reads and drops the rest of a client's body, up to 4 MiB, so that the client can read the refusal: a connection that is closed with
 * unread bytes is reset, and the answer is lost. Fulfilled at the end, after 4 MiB, after five seconds without a byte, and after a
 * minute.
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

/** The unread part of a request's body: none, at most what is drained, or perhaps more. */
export function unreadBody({ complete, headers }: IncomingMessage): 'none' | 'short' | 'long' {
  if (complete) return 'none';
  if (headers['transfer-encoding'] !== undefined) return 'long';
  const length = Number(headers['content-length'] ?? 0);
  if (length === 0) return 'none';
  return length <= MAX_DRAINED_BYTES ? 'short' : 'long';
}

/** Calls `refuse` after more than `limit` bytes of a body. A parser reports this only after it has read the whole body. */
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
