import { close, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { storeError, systemCodeOf } from './errors.ts';

/** What makes SQLite's write-ahead log durable: all that was written to it before. */
export type Disk = {
  sync(done: (error: Error | null) => void): void;
  /** Called with the system's code after a failure that leaves the contents of the disk unknown. */
  broken(code: string): void;
  close(): Promise<void>;
};

/** As many syncs may be under way at once: what comes during one waits for its own, and not for that one first. */
const MAX_SYNCS = 2;

/**
 * The disk under the log of the database at a path. The log is there once the database was read or written.
 * @param broken called after a failed sync, and after EIO
 */
export function logOf(path: string, broken: Disk['broken']): Disk {
  const log = openSync(`${path}-wal`, 'r+');
  return {
    sync: (done) => fdatasync(log, done),
    broken,
    close: () => promisify(close)(log),
  };
}

/** A database in memory, or one that syncs at each commit itself. */
export const noDisk: Disk = { sync: (done) => done(null), broken: () => undefined, close: async () => {} };

/** Who waits for a commit to be durable. */
type Waiter = { commit: number; done: () => void; failed: (error: unknown) => void };

/** Which commits of a database are durable. */
type LogSyncs = {
  /** Begins a commit, and gives its number. One that is rolled back is not reported. */
  begin(): number;
  /** Says that the commit which was begun last is in the log. One of the two settles the promise of its caller. */
  committed(waiters: readonly Omit<Waiter, 'commit'>[]): void;
  /**
   * Fulfils with a value that was read once it is durable: the commit that wrote it, or all commits. Rejects with StoreError.
   */
  durable<Value>(value: Value, commit?: number): Promise<Value>;
  /** Throws StoreError if a sync failed: since then it is unknown what is on disk. */
  demand(): void;
  /** Closes the log once all is durable. */
  close(): Promise<void>;
};

/**
 * Commits are written to the log by SQLite (`synchronous = NORMAL`) and made durable here, in other threads: a slow disk does
 * not stop the event loop, and syncs overlap. As with PostgreSQL, a sync that fails ends the use
 * of the file, for the system may have dropped what it could not write, whatever its reason was. The next start reads what is there.
 */
export function createLogSyncs(disk: Disk): LogSyncs {
  let [begun, committed, durable] = [0, 0, 0];
  let [running, started] = [0, 0];
  let fault: unknown;
  let waiting: Waiter[] = [];
  let ended: (() => void) | undefined;

  const reached = (commit: number): void => {
    durable = Math.max(durable, commit);
    const told = waiting.filter((waiter) => waiter.commit <= durable);
    waiting = waiting.filter((waiter) => waiter.commit > durable);
    for (const { done } of told) done();
  };

  const fail = (error: unknown): void => {
    if (!fault) disk.broken(systemCodeOf(error));
    fault ??= error;
    const told = waiting;
    waiting = [];
    for (const { failed } of told) failed(storeError(fault));
  };

  const start = (): void => {
    const covers = committed;
    started = covers;
    running += 1;
    disk.sync((error) => {
      running -= 1;
      if (error || fault) fail(error);
      else reached(covers);
      if (!fault && started < committed) start();
      if (running === 0) ended?.();
    });
  };

  return {
    begin: () => ++begun,
    committed(waiters) {
      committed = begun;
      for (const waiter of waiters) waiting.push({ ...waiter, commit: committed });
      if (running < MAX_SYNCS) start();
    },
    durable: async (value, commit = committed) => {
      const needed = Math.min(commit, committed);
      if (needed <= durable) return value;
      if (fault) throw storeError(fault);
      return new Promise((fulfil, failed) => {
        waiting.push({ commit: needed, done: () => fulfil(value), failed });
      });
    },
    demand() {
      if (fault) throw storeError(fault);
    },
    async close() {
      // Each commit has a sync that is under way, or begins when one ends.
      if (running > 0) {
        await new Promise<void>((fulfil) => {
          ended = fulfil;
        });
      }
      await disk.close();
    },
  };
}
