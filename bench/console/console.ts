import { filledStore, fillNote } from '../filled-store/filled-store.ts';
import { startSurroundings } from '../harness/measure.ts';
import { signIn, team } from '../harness/person.ts';
import { addTo, type Benchmark, type Report } from '../harness/report.ts';
import { storeNames, storeTitles } from '../harness/stores.ts';
import { measureCsv } from './csv.ts';
import { measurePaymentLoss } from './payment-loss.ts';
import { requests } from './requests.ts';
import { readSamples } from './samples.ts';
import { measureScreens } from './screens.ts';

const ROUNDS = 8;

const screenNames = [...new Set(requests.map(({ screen }) => screen.toLowerCase()))];

/** The names that `--only` accepts: stores, screens, CSV files, and `beside` for payments beside the console. */
export const consoleParts: readonly string[] = [...storeNames, ...screenNames, 'csv', 'beside'];

/** The time of every request of the console's screens with a million orders, and the slowdown of payments while a support team works. */
export const consoleScreens: Benchmark = async (say, { only = [], rounds = ROUNDS, keep } = {}) => {
  const wantedStores = storeNames.filter((name) => only.includes(name));
  const stores = wantedStores.length > 0 ? wantedStores : storeNames;
  const parts = only.filter((name) => !storeNames.some((store) => store === name));
  const isWanted = (part: string): boolean => parts.length === 0 || parts.includes(part);
  const screens = parts.filter((name) => screenNames.includes(name));
  const surroundings = await startSurroundings();
  const report: Report = { rows: [], aims: [], notes: [] };
  try {
    for (const name of stores) {
      const title = storeTitles[name];
      await using filled = await filledStore(name, { surroundings, keep, say });
      const relay = await surroundings.relay({ ...filled.options, people: team, webhooks: 'delivered' });
      const person = await signIn(relay.origin, team[0]?.name ?? '');
      const samples = await readSamples(person, filled.span);
      if (parts.length === 0 || screens.length > 0)
        addTo(report, await measureScreens(title, person, samples, screens, say));
      if (isWanted('csv')) addTo(report, await measureCsv(title, person));
      await person.close();
      if (isWanted('beside')) addTo(report, await measurePaymentLoss(title, relay, { samples, rounds, say }));
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
  'Requests are sent one after the other over loopback; a time is from the first byte of the request to the last of its answer. Other processes share the machine.',
  'A target of a screen is for the slowest of its requests.',
];
