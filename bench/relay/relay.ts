import { startPostgres } from '../../test/support/stores/postgres.ts';
import { startSurroundings } from '../harness/measure.ts';
import type { Benchmark, Report } from '../harness/report.ts';
import { inTurns } from '../harness/rounds.ts';
import { newStore, storeNames, storeTitles } from '../harness/stores.ts';
import { measureConfirmation } from './confirmation.ts';
import { parts, type RelayPart, relayRow } from './parts.ts';
import { startTargets } from './targets.ts';
import { measureWebhooks } from './webhooks.ts';

const ROUNDS = 8;

const partNames: readonly string[] = [...Object.keys(parts), 'webhooks', 'confirmation'];

/** The names that `--only` accepts: parts and stores. */
export const relayParts: readonly string[] = [...partNames, ...storeNames];

/** The cost of payments, refunds, checkouts and webhooks with each store, compared with baselines that do none of the relay's work. */
export const relay: Benchmark = async (say, { only = [], rounds = ROUNDS } = {}) => {
  const stores = chosen(storeNames, only);
  const wanted = chosen(partNames, only);
  const loads = Object.entries<RelayPart>(parts).filter(([name]) => wanted.includes(name));
  const surroundings = await startSurroundings();
  const postgres = stores.includes('postgres') ? await startPostgres({ fsync: true }) : undefined;
  const report: Report = { rows: [], aims: [], notes };
  try {
    const { baselines, relays, stop } = await startTargets(
      { surroundings, postgres, say },
      stores,
      loads.map(([, part]) => part),
    );
    for (const [name, part] of loads) {
      const targets = [baselines[part.baseline](), ...relays];
      const [base = [], ...ofRelays] = await inTurns(targets, part.load, rounds, (line) => say(`${name}, ${line}`));
      report.rows.push(relayRow(`${part.baseline} (baseline), ${part.title}`, base));
      for (const [at, store] of stores.entries()) {
        const own = ofRelays[at] ?? [];
        report.rows.push(relayRow(`${storeTitles[store]}, ${part.title}`, own, base));
        report.aims.push(...part.aims(store, { own, base }));
      }
    }
    await stop();
    for (const store of wanted.includes('webhooks') ? stores : []) {
      const options = await newStore(store, surroundings, postgres);
      const title = storeTitles[store];
      const { row, aim } = await measureWebhooks(surroundings, title, options, rounds, (line) =>
        say(`webhooks, ${title}, ${line}`),
      );
      report.rows.push(row);
      report.aims.push(aim);
    }
    for (const store of wanted.includes('confirmation') ? stores : []) {
      const options = await newStore(store, surroundings, postgres);
      const title = storeTitles[store];
      const { row, aims } = await measureConfirmation(surroundings, title, options, rounds, (line) =>
        say(`confirmation, ${title}, ${line}`),
      );
      report.rows.push(row);
      report.aims.push(...aims);
    }
    return report;
  } finally {
    await surroundings.stop();
    await postgres?.close();
  }
};

const notes = [
  'CPU is that of the relay’s process alone, with all its threads; the CPU of all processes of the PostgreSQL server has its own column.',
  'Figures are medians over the rounds; ratios and added times are medians of the ratios and differences of each round.',
  'Each payment: session read, attempt and outcome on disk, limits counted, webhook in the outbox, metrics, log to a file.',
  'Unless the row says so no webhook is delivered: the receiver accepts eight connections and never answers.',
  'With a gateway of 0 ms, 50 payments at once keep the relay busy all the time: their times are mostly time in the queue.',
];

/** The names that `only` contains; all names if it contains none of them. */
function chosen<Name extends string>(names: readonly Name[], only: readonly string[]): readonly Name[] {
  const found = names.filter((name) => only.includes(name));
  return found.length > 0 ? found : names;
}
