import { closeSync, existsSync, mkdirSync, openSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isBusy, storeError } from './errors.ts';

/** How long a relay that starts waits for the one before it, which is ending. */
const HANDOVER_MS = 1000;

/** A file that this process alone may write until `lock` is closed; `path` has no links in it. */
type Owned = { path: string; lock: DatabaseSync };

/**
 * Makes this process the file's only relay until the lock is closed, or the process ends however it ends: what it keeps in
 * memory is right only while no other process writes. Makes the file if there is none. Throws StoreError if another
 * relay has the file, by whatever name, or the file has two names.
 */
export function ownFile(name: string): Owned {
  makePrivate(name);
  const path = realpathSync(name);
  if (statSync(path).nlink > 1) {
    throw storeError(new Error('the SQLite file has a second hard link: remove it, or copy the file instead'));
  }
  makePrivate(`${path}-lock`);
  const lock = new DatabaseSync(`${path}-lock`, { timeout: HANDOVER_MS });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return { path, lock };
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    throw storeError(new Error('another relay has the SQLite file open: stop it first, or give this one its own'));
  }
}

/**
 * Shoppers' names and addresses are in it; the files beside it get the same rights. A file that is there is not opened: to
 * close it would free the locks that this process has on it.
 */
function makePrivate(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
}
