import type { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../../../base/errors.ts';
import { whenGathered } from '../../../base/gathering.ts';
import { brokenBy, guarded, isBusy, storeError } from './errors.ts';
import { createLogSyncs, type Disk, noDisk } from './log-syncs.ts';

/** How long a lock of another process is waited for, and the pause between two tries. */
const LOCKED_MS = 5000;
const LOCKED_PAUSE_MS = 10;

/** A change to write. Its promise is fulfilled with the result of `run` once that is on disk. */
type Change = { run: () => () => void; failed: (error: unknown) => void };

/** A change in the log, which is not on disk yet. */
type Written = { done: () => void; failed: (error: unknown) => void };

/** The writer of one database; see `createGroup`. */
export type Group = {
  /**
   * Runs a change and fulfils when it is on disk. If it rejects with StoreError, nothing was written. The change must
   * only read and write this database, because it may run again; it undoes its changes in memory by `undoBy`.
   */
  write<Result>(change: () => Result): Promise<Result>;
  /** Within a change: registers how to undo its changes in memory, if the file's are undone. */
  undoBy(undo: () => void): void;
  /** Within a change: the number of its commit. Otherwise the number of the last one. */
  commit(): number;
  /** Fulfils with a read value once the commit that wrote it, or every commit, is on disk. Rejects with StoreError. */
  durable<Value>(value: Value, commit?: number): Promise<Value>;
  /** Writes the waiting changes, and accepts no more. */
  close(): Promise<void>;
};

/**
 * Group commit: changes that come together (see `whenGathered`) are written in one transaction, so that simultaneous
 * payments share one sync. Each still succeeds or fails separately. There is no timer: a single change is written at
 * once. While another process holds the file, the event loop continues.
 */
export function createGroup(db: DatabaseSync, disk: Disk = noDisk): Group {
  const syncs = createLogSyncs(disk);
  const [begin, commit] = [db.prepare('BEGIN IMMEDIATE'), db.prepare('COMMIT')];
  let waiting: Change[] = [];
  let lockedSince: number | undefined;
  let isClosed = false;
  let isScheduled = false;
  let undos: (() => void)[] = [];
  let lastCommit = 0;

  const undoAll = (): void => {
    for (const undo of undos.toReversed()) undo();
    undos = [];
  };

  const tell = (error: unknown): void => {
    const code = brokenBy(error instanceof StoreError ? error.cause : error);
    if (code !== undefined) disk.broken(code);
  };

  const flush = (): void => {
    isScheduled = false;
    const group = waiting;
    waiting = [];
    try {
      syncs.demand();
      begin.run();
    } catch (error) {
      if (isBusy(error) && isWorthWaiting()) {
        tryLater(group);
        return;
      }
      lockedSince = undefined;
      tell(error);
      for (const { failed } of group) failed(storeError(error));
      return;
    }
    lockedSince = undefined;
    lastCommit = syncs.begin();
    let written: Written[];
    try {
      written = group.map(({ run, failed }) => ({ done: run(), failed }));
      commit.run();
    } catch {
      rollBack(db);
      undoAll();
      // One of the changes failed, or all did. Each is written separately to find out.
      for (const change of group) writeAlone(change);
      return;
    }
    undos = [];
    syncs.committed(written);
  };

  const writeAlone = ({ run, failed }: Change): void => {
    lastCommit = syncs.begin();
    try {
      const done = guarded(() => transaction(db, run));
      undos = [];
      syncs.committed([{ done, failed }]);
    } catch (error) {
      undoAll();
      tell(error);
      failed(error);
    }
  };

  const isWorthWaiting = (): boolean => {
    lockedSince ??= performance.now();
    return !isClosed && performance.now() - lockedSince < LOCKED_MS;
  };

  const tryLater = (group: readonly Change[]): void => {
    waiting = [...group, ...waiting];
    isScheduled = true;
    setTimeout(flush, LOCKED_PAUSE_MS);
  };

  return {
    write: (change) =>
      new Promise((fulfil, failed) => {
        if (isClosed) throw storeError(new Error('closed'));
        const run = (): (() => void) => {
          const result = change();
          return () => fulfil(result);
        };
        waiting.push({ run, failed });
        if (isScheduled) return;
        isScheduled = true;
        whenGathered(() => waiting.length, flush);
      }),
    undoBy: (undo) => void undos.push(undo),
    commit: () => lastCommit,
    durable: syncs.durable,
    async close() {
      isClosed = true;
      if (waiting.length > 0) flush();
      await syncs.close();
    },
  };
}

/** Runs a change in one transaction. Throws the errors of the change and of the database. */
export function transaction<Result>(db: DatabaseSync, change: () => Result): Result {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = change();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    rollBack(db);
    throw error;
  }
}

/** If the rollback fails, the next BEGIN fails too, and rejects the waiting changes. */
function rollBack(db: DatabaseSync): void {
  try {
    if (db.isTransaction) db.exec('ROLLBACK');
  } catch {
    // The earlier error is reported.
  }
}
