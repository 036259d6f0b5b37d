import { writeSync } from 'node:fs';

/** Where log lines go. pino calls `flushSync` after a fatal line. */
type LogDestination = { write(line: string): void; flushSync(): void };

export const STDOUT = 1;

/** Between two tries to write to a pipe that is full. */
const FULL_PAUSE_MS = 20;

/** So many characters wait for a reader that is slow; what comes then is dropped. */
const MAX_WAITING = 64 * 1_048_576;

/** How long a process that ends waits for a pipe that is full. */
const MAX_FLUSH_MS = 1000;

const nothing = Buffer.alloc(0);

/**
 * Writes lines to an open file, pipe or terminal: those of one turn of the event loop together, and what is left of them when
 * the process exits. Where nobody reads any more, or not fast enough, or nothing can be written, lines are dropped: no process
 * stays alive for its log, or waits for it. Made here because pino's own destination repeats a write that fails at the exit for
 * ever (sonic-boom, `flushSync`). It writes in the main thread: a write that another thread does at the exit comes amid later ones.
 * @param droppedLine writes the line that tells how many a slow reader missed
 */
export function logTo(fd: number, droppedLine: (count: number) => string, maxWaiting = MAX_WAITING): LogDestination {
  // Makes a pipe non-blocking: to write to a full one fails, and does not wait.
  if (fd === STDOUT) void process.stdout;
  let lines = '';
  /** What a full pipe has not taken yet: it comes before `lines`. */
  let rest = nothing;
  let isScheduled = false;
  let isBroken = false;
  let dropped = 0;

  const hasLines = (): boolean => rest.length > 0 || lines !== '' || dropped > 0;
  /** Throws what the system says: EAGAIN where a pipe is full. */
  const writeSome = (): void => {
    if (rest.length === 0) {
      rest = Buffer.from(dropped > 0 ? lines + droppedLine(dropped) : lines);
      lines = '';
      dropped = 0;
    }
    rest = rest.subarray(writeSync(fd, rest));
  };
  /** Writes until nothing is left; false where a pipe is full before that. */
  const writeAll = (): boolean => {
    try {
      while (hasLines()) writeSome();
    } catch (error) {
      if (isFull(error)) return false;
      isBroken = true;
      lines = '';
      rest = nothing;
      dropped = 0;
    }
    return true;
  };
  const writeScheduled = (): void => {
    isScheduled = !writeAll();
    if (isScheduled) setTimeout(writeScheduled, FULL_PAUSE_MS).unref();
  };
  const flushSync = (): void => {
    const end = performance.now() + MAX_FLUSH_MS;
    while (!writeAll() && performance.now() < end) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FULL_PAUSE_MS);
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
      if (isScheduled) return;
      isScheduled = true;
      setImmediate(writeScheduled);
    },
    flushSync,
  };
}

/** True for a pipe whose reader is slow. */
function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EAGAIN' || error.code === 'EBUSY');
}
