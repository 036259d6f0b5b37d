import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CannotStart } from './listen.ts';

/** The file in a data folder whose lock one sandbox holds. */
const LOCK_FILE = 'sandbox.lock';

/**
 * Locks a data folder for this sandbox until it is disposed, or this process ends. Throws CannotStart if another
 * sandbox has it.
 */
export function lockFolder(folder: string): Disposable {
  // The operating system releases SQLite's lock with its process, so that no lock survives a crash.
  const db = new DatabaseSync(join(folder, LOCK_FILE), { timeout: 0 });
  try {
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if (!(error instanceof Error && /database is locked/.test(error.message))) throw error;
    throw new CannotStart(`Another sandbox uses the folder ${folder}. Stop it, or use another folder.`);
  }
  return { [Symbol.dispose]: () => db.close() };
}
