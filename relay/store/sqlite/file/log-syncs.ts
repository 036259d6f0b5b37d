import { close, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { storeError, systemCodeOf } from './errors.ts';

/** Makes everything durable that was written to SQLite's write-ahead log before the call. */
export type Disk = {
  sync(done: (error: Error | null) => void): void;
  /** Called with the system's code after a failure that leaves the contents of the disk unknown. */
  broken(code: string): void;
  close(): Promise<void>;
};

/**
 * The maximum number of syncs at the same time: a commit during one starts its own sync and does not wait for that one.
 */
const MAX_SYNCS = 2;

/**
 * The disk under the log of the database at a path. The log exists once the database was read or written.
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

/** The two functions that settle a promise which waits for a commit. */
type Waiter = { commit: number; done: () => void; failed: (error: unknown) => void };

/** The durable commits of a database. */
type LogSyncs = {
  /** Begins a commit and returns its number. A commit that is rolled back is not reported. */
  begin(): number;
  /** Reports that the last begun commit is in the log. One of the two functions settles the promise of its caller. */
  committed(waiters: readonly Omit<Waiter, 'commit'>[]): void;
  /** Fulfils with a read value once the commit that wrote it, or every commit, is durable. Rejects with StoreError. */
  durable<Value>(value: Value, commit?: number): Promise<Value>;
  /** Throws StoreError if a sync failed: since then the contents of the disk are unknown. */
  demand(): void;
  /** Closes the log once everything is durable. */
  close(): Promise<void>;
};

/**
 * SQLite writes commits to the log (`synchronous = NORMAL`), and threads make them durable: a slow disk does not stop
 * the event loop, and syncs overlap. As with PostgreSQL, a failed sync ends the use of the file, because the system may
 * have dropped the data that it could not write. The next start reads the file as it is.
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
      // Each commit has a sync that is running, or that begins when one ends.
      if (running > 0) {
        await new Promise<void>((fulfil) => {
          ended = fulfil;
        });
      }
      await disk.close();
    },
  };
}
