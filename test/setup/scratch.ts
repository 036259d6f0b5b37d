import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const IN_MEMORY = '/dev/shm';

/**
 * Creates a folder for the small stores and files of one test run, in memory if the machine has a RAM disk. Relays
 * that tests start as processes store their compiled code in it, and PostgreSQL servers the result of `initdb`. The
 * folder is deleted when the run is over.
 */
export default function makeScratch(): () => void {
  const folder = mkdtempSync(join(existsSync(IN_MEMORY) ? IN_MEMORY : tmpdir(), 'turnpike-tests-'));
  // PostgreSQL refuses to run as root: the user that runs it must have access.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  process.env.NODE_COMPILE_CACHE = join(folder, 'compiled');
  process.env.POSTGRES_TEMPLATE = join(folder, 'postgres');
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  // Once more at the end: processes of the tests write compiled code as they end, and a PostgreSQL ends a moment after them.
  process.once('exit', remove);
  return () => {
    try {
      remove();
    } catch {
      // Something is still being written: the end removes it.
    }
  };
}
