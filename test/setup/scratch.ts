import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const IN_MEMORY = '/dev/shm';

/**
 * Gives one run of the tests a folder for all the little stores and files that they write: in memory where the machine has a disk
 * there. Relays that tests start as processes of their own keep in it what they compiled, and PostgreSQL servers what
 * `initdb` makes. It is gone when the run is over.
 */
export default function makeScratch(): void {
  const folder = mkdtempSync(join(existsSync(IN_MEMORY) ? IN_MEMORY : tmpdir(), 'turnpike-tests-'));
  // PostgreSQL refuses to run as root: the user that it runs as must come through.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  process.env.NODE_COMPILE_CACHE = join(folder, 'compiled');
  process.env.POSTGRES_TEMPLATE = join(folder, 'postgres');
  // Not before: the processes of the tests write what they compiled as they end, and a PostgreSQL ends a moment after them.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
}
