import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { unpackedRelease } from '../../test/support/release.ts';
import { startPostgres } from '../../test/support/stores/postgres.ts';
import { atMost, type Benchmark, type Row } from '../harness/report.ts';
import { relaySettings } from '../harness/settings.ts';
import { median } from '../harness/statistics.ts';
import { storeNames, storeTitles } from '../harness/stores.ts';

const ROUNDS = 5;

/** How long a relay does nothing until its memory is read. */
const REST_MS = 10_000;

/** Linux counts CPU time in hundredths of a second. */
const TICK_MS = 10;

/** What one start costs, in milliseconds of CPU and MB of resident memory. */
type Cost = { cpu: number; rss: number };

/** CPU from the start of the unit's commands until the relay is ready, and its memory at rest, from the archive of a release. */
export const start: Benchmark = async (say, { rounds = ROUNDS } = {}) => {
  say('makes a release');
  const release = await unpackedRelease();
  const postgres = await startPostgres();
  try {
    const root = join(import.meta.dirname, '../..');
    const checkout = `${process.execPath} --disable-warning=ExperimentalWarning ${root}/relay/`;
    const released = join(release.unpacked, 'turnpike-relay');
    const cases = [
      {
        what: 'checkout, SQLite (baseline)',
        command: `${checkout}check.ts && exec ${checkout}main.ts`,
        store: 'sqlite',
      },
      ...storeNames.map((store) => ({
        what: `release, ${storeTitles[store]}`,
        command: `${released} check && exec ${released}`,
        store,
      })),
    ];
    const costs = new Map<string, Cost[]>(cases.map(({ what }) => [what, []]));
    for (let round = 1; round <= rounds; round++) {
      say(`round ${round} of ${rounds}`);
      for (const { what, command, store } of cases) {
        const folder = mkdtempSync(join(release.scratch, 'start-'));
        const address = store === 'postgres' ? await postgres.database() : `sqlite:${join(folder, 'relay.db')}`;
        costs.get(what)?.push(await costOf(command, folder, address));
      }
    }
    const rows = cases.map(({ what }): Row & { figures: { cpu: number; rss: number } } => {
      const all = costs.get(what) ?? [];
      return { what, figures: { cpu: median(all.map(({ cpu }) => cpu)), rss: median(all.map(({ rss }) => rss)) } };
    });
    return {
      rows: rows.map(({ what, figures }) => ({
        what,
        figures: { 'CPU s until ready': figures.cpu / 1000, 'resident MB at rest': figures.rss },
      })),
      aims: rows
        .slice(1)
        .flatMap(({ what, figures }) => [
          atMost(`${what}: CPU until ready`, figures.cpu / 1000, 1, ' s'),
          atMost(`${what}: memory at rest`, figures.rss, 130, ' MB'),
        ]),
      notes: [
        'CPU of all that the unit runs: the check of the settings, the checks of Node’s version, and the relay until it listens, with a new store.',
        `Memory ${REST_MS / 1000} s later, without a request.`,
      ],
    };
  } finally {
    await postgres.close();
    release.remove();
  }
};

/** Runs a command line, which becomes the relay, until that has rested. Throws if the relay does not listen. */
async function costOf(command: string, folder: string, store: string): Promise<Cost> {
  const config = join(folder, 'relay.json');
  writeFileSync(config, JSON.stringify(relaySettings({ store, gatewayPort: 9, webhooks: 'kept' })));
  const env = { PATH: process.env.PATH, TURNPIKE_CONFIG: config };
  const child = spawn('/bin/sh', ['-c', command], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const killWithUs = (): void => void child.kill('SIGKILL');
  process.once('exit', killWithUs);
  const ended = once(child, 'exit').then(() => process.off('exit', killWithUs));
  try {
    let output = '';
    for await (const data of child.stdout) {
      output += String(data);
      if (output.includes('relay listening')) break;
    }
    const cpu = cpuOf(child.pid);
    await delay(REST_MS);
    return { cpu, rss: residentMb(child.pid) };
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

/** The CPU time of a process and of its children that have ended, in milliseconds. */
function cpuOf(pid = 0): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * TICK_MS, 0);
}

function residentMb(pid = 0): number {
  const [, kb] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kb) / 1024;
}
