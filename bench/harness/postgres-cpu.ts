import { readdirSync, readFileSync } from 'node:fs';
import type { TestPostgres } from '../../test/support/stores/postgres.ts';

/** Microseconds of one clock tick, the unit of CPU times in /proc. */
const TICK_US = 10_000;

/**
 * Gives a function that reads the CPU, in microseconds, that all processes of a PostgreSQL server have used together, including those
 * that have ended. It returns undefined on systems without /proc.
 */
export async function postgresCpu(postgres: TestPostgres, address: string): Promise<() => number | undefined> {
  const [row] = await postgres.query(address, `SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1) AS pid`);
  const main = Number(row?.pid);
  return () => {
    if (process.platform !== 'linux') return undefined;
    const all = processes();
    const own = all.get(main);
    if (!own) return undefined;
    const children = [...all.values()].filter(({ parent }) => parent === main);
    const ticks = own.ticks + own.ofEnded + children.reduce((sum, child) => sum + child.ticks, 0);
    return ticks * TICK_US;
  };
}

/** A process; `ofEnded` are the ticks of its children that have ended. */
type Process = { parent: number; ticks: number; ofEnded: number };

/** All processes of the machine, by their ids. */
function processes(): Map<number, Process> {
  const found = new Map<number, Process>();
  for (const name of readdirSync('/proc', { encoding: 'utf8' })) {
    const pid = Number(name);
    const one = Number.isInteger(pid) ? readProcess(pid) : undefined;
    if (one) found.set(pid, one);
  }
  return found;
}

/** Reads /proc/<pid>/stat; undefined if the process has ended meanwhile. */
function readProcess(pid: number): Process | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The process's name is in brackets and can contain any character, so read from the last bracket.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const at = (field: number): number => Number(fields[field - 3]);
  return { parent: at(4), ticks: at(14) + at(15), ofEnded: at(16) + at(17) };
}
