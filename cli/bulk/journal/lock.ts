import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { codeOf, UsageError } from '../../base/errors.ts';

/**
 * Locks a journal until the returned function is called. A process first creates a file named by its process id, then looks for the
 * files of others, so at least one of two concurrent processes sees the other. The file of a killed process is removed. Throws UsageError
 * if another process has the journal, or if its folder is not writable.
 */
export async function lockJournal(journal: string): Promise<() => Promise<void>> {
  const folder = dirname(journal);
  const prefix = `${basename(journal)}.lock-`;
  const own = `${prefix}${process.pid}-${randomBytes(6).toString('hex')}`;
  await writeFile(join(folder, own), `${hostname()}\n`, { flag: 'wx', mode: 0o600 }).catch(async () => {
    await rm(join(folder, own), { force: true });
    throw new UsageError(`Cannot write to the folder of ${journal}.`, 'Give another place with --journal.');
  });
  const unlock = () => rm(join(folder, own), { force: true });
  try {
    for (const name of await readdir(folder)) {
      if (!name.startsWith(prefix) || name === own) continue;
      const host = await readFile(join(folder, name), 'utf8').catch(() => undefined);
      if (host === undefined) continue;
      const pid = Number(/^\d+/.exec(name.slice(prefix.length))?.[0]);
      if (await mayLive(pid, host.trim())) {
        throw new UsageError(
          `Process ${pid} works with the journal ${journal}.`,
          `Wait until it has ended. If there is no such process, delete ${join(folder, name)}.`,
        );
      }
      await rm(join(folder, name), { force: true });
    }
  } catch (error) {
    await unlock();
    throw error;
  }
  return unlock;
}

/** Whether a process may still be running. False only for a process of this machine that has ended. */
async function mayLive(pid: number, host: string): Promise<boolean> {
  // An empty host: the process was killed before it wrote the name of this machine.
  if (host !== '' && host !== hostname()) return true;
  // An earlier process had the same id, as in a restarted container.
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
  return !(await isZombie(pid));
}

/** Whether a process has ended but its parent has not collected it yet (a zombie). Only Linux reports it. */
async function isZombie(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name before the state may contain any characters, including parentheses.
  return /\) [ZX] [^)]*$/.test(stat);
}
