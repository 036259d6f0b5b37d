import { closeSync, existsSync, mkdirSync, openSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isBusy, storeError } from './errors.ts';

/** How long a starting relay waits for the end of the previous one. */
const HANDOVER_MS = 1000;

/** A file that only this process may write until `lock` is closed. `path` contains no links. */
type Owned = { path: string; lock: DatabaseSync };

/**
 * Makes this process the file's only relay until the lock is closed or the process ends in any way: its cache is right
 * only while no other process writes. Creates the file if necessary. Throws StoreError if another relay has the file,
 * by whatever name, or the file has two names.
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
 * The file contains shoppers' names and addresses; the files beside it get the same rights. An existing file is not
 * opened, because closing it would release the locks of this process.
 */
function makePrivate(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
}
