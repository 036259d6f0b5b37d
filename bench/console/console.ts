import { filledStore, fillNote } from '../filled/filled-store.ts';
import { signIn, team } from '../filled/person.ts';
import { startSurroundings } from '../harness/measure.ts';
import type { Benchmark, Report } from '../harness/report.ts';
import { storeNames, storeTitles } from '../relay/parts.ts';
import { besidePayments } from './beside.ts';
import { requests } from './requests.ts';
import { readSamples } from './samples.ts';
import { measureCsv, measureScreens } from './screens.ts';

const ROUNDS = 8;

const screenNames = [...new Set(requests.map(({ screen }) => screen.toLowerCase()))];

/** What can be measured alone by `--only`: stores, screens, and payments beside the console. */
export const consoleParts: readonly string[] = [...storeNames, ...screenNames, 'csv', 'beside'];

/** Every request of the console's screens with a million orders, and payments beside a support team. */
export const consoleScreens: Benchmark = async (say, { only = [], rounds = ROUNDS, keep } = {}) => {
  const wantedStores = storeNames.filter((name) => only.includes(name));
  const stores = wantedStores.length > 0 ? wantedStores : storeNames;
  const parts = only.filter((name) => !storeNames.some((store) => store === name));
  const isWanted = (part: string): boolean => parts.length === 0 || parts.includes(part);
  const screens = parts.filter((name) => screenNames.includes(name));
  const surroundings = await startSurroundings();
  const report: Report = { rows: [], targets: [], notes: [] };
  try {
    for (const name of stores) {
      const title = storeTitles[name];
      await using filled = await filledStore(name, { surroundings, keep, say });
      const relay = await surroundings.relay({ ...filled.options, people: team, webhooks: 'delivered' });
      const person = await signIn(relay.origin, team[0]?.name ?? '');
      const samples = await readSamples(person, filled.span);
      if (parts.length === 0 || screens.length > 0)
        add(report, await measureScreens(title, person, samples, screens, say));
      if (isWanted('csv')) add(report, await measureCsv(title, person));
      await person.close();
      if (isWanted('beside')) add(report, await besidePayments(title, relay, { samples, rounds, say }));
      await relay.stop();
    }
    report.notes.push(...notes);
    return report;
  } finally {
    await surroundings.stop();
  }
};

const notes = [
  fillNote,
  'Times are those of one request after the other over loopback, from its first byte to the last of its answer; the machine is shared with whatever else runs.',
  'A target of a screen is for the slowest of its requests.',
];

function add(report: Report, { rows, targets, notes = [] }: Partial<Report>): void {
  report.rows.push(...(rows ?? []));
  report.targets.push(...(targets ?? []));
  report.notes.push(...notes);
}
