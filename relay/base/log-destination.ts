import { write, writeSync } from 'node:fs';

/** Where log lines go. pino calls `flushSync` after a fatal line. */
type LogDestination = { write(line: string): void; flushSync(): void };

export const STDOUT = 1;

/** Between two tries to write to a pipe that is full. */
const FULL_PAUSE_MS = 20;

/** So many characters wait for a reader that is slow; what comes then is dropped. */
const MAX_WAITING = 64 * 1_048_576;

/** How long a process that ends waits for a pipe that is full. */
const MAX_FLUSH_MS = 1000;

/**
 * Writes lines to an open file, pipe or terminal without blocking the caller, and what is left of them when the process
 * exits. Where nobody reads any more, or not fast enough, or nothing can be written, lines are dropped: no process stays alive
 * for its log. Made here because pino's own destination repeats a write that fails at the exit for ever (sonic-boom,
 * `flushSync`).
 * @param droppedLine writes the line that tells how many a slow reader missed
 */
export function logTo(fd: number, droppedLine: (count: number) => string, maxWaiting = MAX_WAITING): LogDestination {
  // Makes a pipe non-blocking: a thread that writes to a full one could not be ended.
  if (fd === STDOUT) void process.stdout;
  let lines = '';
  /** What a full pipe did not take, until it is tried again. */
  let delayed: Buffer | undefined;
  let isWriting = false;
  let isBroken = false;
  let dropped = 0;

  const giveUp = (): void => {
    isBroken = true;
    lines = '';
    delayed = undefined;
  };
  const tellDropped = (): void => {
    if (dropped > 0) lines += droppedLine(dropped);
    dropped = 0;
  };
  const writeNext = (): void => {
    if (!delayed) tellDropped();
    const bytes = delayed ?? Buffer.from(lines);
    if (!delayed) lines = '';
    delayed = undefined;
    isWriting = bytes.length > 0;
    if (isWriting) writeAll(bytes);
  };
  const writeAll = (bytes: Buffer): void => {
    write(fd, bytes, (error, written) => {
      if (error && !isFull(error)) {
        giveUp();
      } else if (error) {
        delayed = bytes;
        setTimeout(writeNext, FULL_PAUSE_MS).unref();
      } else if (written < bytes.length) {
        writeAll(bytes.subarray(written));
      } else {
        writeNext();
      }
    });
  };
  /** What a write under way has of the lines is the system's to finish. */
  const flushSync = (): void => {
    tellDropped();
    let rest = Buffer.concat([delayed ?? Buffer.alloc(0), Buffer.from(lines)]);
    delayed = undefined;
    lines = '';
    const end = performance.now() + MAX_FLUSH_MS;
    while (rest.length > 0 && performance.now() < end) {
      try {
        rest = rest.subarray(writeSync(fd, rest));
      } catch (error) {
        if (!isFull(error)) {
          giveUp();
          return;
        }
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FULL_PAUSE_MS);
      }
    }
  };

  process.on('exit', flushSync);
  return {
    write(line) {
      if (isBroken) return;
      if (lines.length > maxWaiting) {
        dropped += 1;
        return;
      }
      lines += line;
      if (!isWriting) writeNext();
    },
    flushSync,
  };
}

/** True for a pipe whose reader is slow. */
function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EAGAIN' || error.code === 'EBUSY');
}
