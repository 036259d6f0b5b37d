import { constants, fstatSync, openSync, writeSync } from 'node:fs';

/** Where log lines go. pino calls `flushSync` after a fatal line. */
type LogDestination = { write(line: string): void; flushSync(): void };

export const STDOUT = 1;

/** The maximum time between two tries to write to a full pipe. */
const MAX_PAUSE_MS = 20;

/**
 * The maximum number of characters that wait for a slow reader, in addition to those being written. Further lines are
 * dropped.
 */
const MAX_WAITING = 64 * 1_048_576;

/** How long a process that ends waits for a full pipe. */
const MAX_FLUSH_MS = 1000;

const nothing = Buffer.alloc(0);

/**
 * Writes lines to an open file, pipe or terminal.
 * - Lines are written asynchronously: the lines of one turn of the event loop together. A killed process loses those of its last turn.
 * - Lines are dropped if the reader is gone or slow, or a write fails. A write waits only for a terminal that another user opened.
 * - The rest is written when the process exits, within one second.
 * - pino's own destination is not used: it repeats a write that fails at the exit forever (sonic-boom, `flushSync`).
 * - The main thread writes, because another thread may finish its write after later lines of the exit.
 * @param droppedLine returns the line that counts the dropped lines
 */
export function logTo(fd: number, droppedLine: (count: number) => string, maxWaiting = MAX_WAITING): LogDestination {
  const target = withoutWaiting(fd);
  let lines = '';
  /** The rest that did not fit into a full pipe. It precedes `lines`. */
  let rest = nothing;
  let pauseMs = 0;
  let isScheduled = false;
  let isBroken = false;
  /** The time at which a process that exits stops waiting for a full pipe. */
  let exitEnd: number | undefined;
  let dropped = 0;

  /** Writes to the descriptor. Throws the system's error, such as EAGAIN for a full pipe. */
  const writeSome = (): void => {
    if (rest.length === 0) {
      rest = Buffer.from(dropped > 0 ? lines + droppedLine(dropped) : lines);
      lines = '';
      dropped = 0;
    }
    rest = rest.subarray(writeSync(target, rest));
    pauseMs = 0;
  };
  /**
   * Writes until nothing is left; false if a pipe is full before that. `pauseMs` is then the time until the next try.
   */
  const writeAll = (): boolean => {
    try {
      while (rest.length > 0 || lines !== '') writeSome();
    } catch (error) {
      if (isFull(error)) {
        pauseMs = Math.min(2 * pauseMs || 1, MAX_PAUSE_MS);
        return false;
      }
      isBroken = true;
      lines = '';
      rest = nothing;
    }
    return true;
  };
  const writeScheduled = (): void => {
    isScheduled = !writeAll();
    if (isScheduled) setTimeout(writeScheduled, pauseMs).unref();
  };
  const flushSync = (): void => {
    const end = exitEnd ?? performance.now() + MAX_FLUSH_MS;
    while (!writeAll() && performance.now() < end) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  };

  process.on('exit', () => {
    exitEnd = performance.now() + MAX_FLUSH_MS;
    flushSync();
  });
  return {
    write(line) {
      if (isBroken) return;
      if (lines.length > maxWaiting) {
        dropped += 1;
        return;
      }
      lines += line;
      if (exitEnd !== undefined) flushSync();
      else if (!isScheduled) setImmediate(writeScheduled);
      isScheduled = true;
    },
    flushSync,
  };
}

/**
 * A second descriptor of the same pipe or terminal, on which a write fails at once instead of waiting. It is opened
 * again where the system allows that, because the flags belong to all processes that share the descriptor, and Node
 * makes terminals wait.
 */
function withoutWaiting(fd: number): number {
  try {
    const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;
    // A file is never full, and two descriptors of one file would overwrite each other's lines.
    if (!fstatSync(fd).isFile()) return openSync(`/proc/self/fd/${fd}`, O_WRONLY | O_NONBLOCK | O_NOCTTY);
  } catch {
    // A socket, which few processes share, or a system without this folder.
  }
  // This makes a pipe or a socket non-blocking.
  if (fd === STDOUT) void process.stdout;
  return fd;
}

/** True for a pipe whose reader is slow. */
function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EAGAIN' || error.code === 'EBUSY');
}
