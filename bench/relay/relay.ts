import { startPostgres } from '../../test/support/stores/postgres.ts';
import { payments, type RelayOptions, type Surroundings, startSurroundings, steady } from '../harness/measure.ts';
import { atLeast, type Benchmark, type Report, type Row, type Target } from '../harness/report.ts';
import { inTurns, median } from '../harness/rounds.ts';
import { type Part, parts, row, storeNames, storeTitles } from './parts.ts';
import { startTargets, storeOptions } from './start.ts';

/** Rounds of each load, in turns with the baseline's. */
const ROUNDS = 8;
const WEBHOOK_ROUNDS = 3;

const partNames: readonly string[] = [...Object.keys(parts), 'webhooks'];

/** What can be measured alone by `--only`: loads and stores. */
export const relayParts: readonly string[] = [...partNames, ...storeNames];

/** What a payment, a refund, a checkout and a webhook cost with each store, against baselines that do none of the relay's work. */
export const relay: Benchmark = async (say, { only = [], rounds = ROUNDS } = {}) => {
  const stores = chosen(storeNames, only);
  const wanted = chosen(partNames, only);
  const loads = Object.entries<Part>(parts).filter(([name]) => wanted.includes(name));
  const surroundings = await startSurroundings();
  const postgres = stores.includes('postgres') ? await startPostgres({ fsync: true }) : undefined;
  const report: Report = { rows: [], targets: [], notes };
  try {
    const { baselines, relays, stop } = await startTargets(
      { surroundings, postgres, say },
      stores,
      loads.map(([, part]) => part),
    );
    for (const [name, part] of loads) {
      const targets = [baselines[part.baseline](), ...relays];
      const [base = [], ...measured] = await inTurns(targets, part.load, rounds, (line) => say(`${name}, ${line}`));
      report.rows.push(row(`${part.baseline} (baseline), ${part.title}`, base));
      for (const [at, store] of stores.entries()) {
        const own = measured[at] ?? [];
        report.rows.push(row(`${storeTitles[store]}, ${part.title}`, own, base));
        report.targets.push(...part.targets(store, { own, base }));
      }
    }
    await stop();
    for (const store of wanted.includes('webhooks') ? stores : []) {
      const options = await storeOptions(store, surroundings, postgres);
      const tell = (line: string): void => say(`webhooks, ${storeTitles[store]}, ${line}`);
      const most = Math.min(rounds, WEBHOOK_ROUNDS);
      const found = await webhooksDelivered(surroundings, { title: storeTitles[store], options }, most, tell);
      report.rows.push(found.row);
      report.targets.push(found.target);
    }
    return report;
  } finally {
    await surroundings.stop();
    await postgres?.close();
  }
};

const notes = [
  'CPU is that of the relay’s process alone, of all its threads; that of all processes of the PostgreSQL server stands beside it.',
  'Figures are medians over the rounds; ratios and what is added are medians of each round’s own.',
  'Each payment: session read, attempt and outcome on disk, limits counted, webhook in the outbox, metrics, log to a file.',
  'Unless the row says so no webhook is delivered: the receiver takes eight connections and never answers.',
  'With a gateway of 0 ms, 50 at once keep the relay busy all the time: their latency is the queue’s.',
];

/** Those of the names that are asked for; all where none of them is. */
function chosen<Name extends string>(names: readonly Name[], only: readonly string[]): readonly Name[] {
  const found = names.filter((name) => only.includes(name));
  return found.length > 0 ? found : names;
}

/** Webhooks that wait when the receiver begins to answer. */
const BACKLOG = 2000;
const PER_SECOND = 200;
const SECONDS = 5;
const WARM_UP = 3000;

/**
 * How many webhooks a second a relay delivers from a backlog to a receiver that answers at once, while 200 payments a second
 * come and make more of them.
 */
async function webhooksDelivered(
  surroundings: Surroundings,
  { title, options }: { title: string; options: RelayOptions },
  rounds: number,
  say: (line: string) => void,
): Promise<{ row: Row; target: Target }> {
  const { webhooks } = surroundings;
  const relay = await surroundings.relay({ ...options, webhooks: 'delivered' });
  await relay.run(payments(WARM_UP, 50));
  const rates: number[] = [];
  const p99s: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    say(`round ${round} of ${rounds}`);
    await webhooks.hold();
    await relay.run(payments(BACKLOG, 50));
    await webhooks.release();
    const beside = await relay.run(steady(PER_SECOND, SECONDS));
    rates.push(rateOf(await webhooks.arrivals()));
    p99s.push(beside.p99_ms);
  }
  await relay.stop();
  const rate = median(rates);
  return {
    row: {
      what: `${title}, webhooks from a backlog, beside 200 payments a second`,
      figures: { 'webhooks per s': rate, 'p99 ms': median(p99s) },
    },
    target: atLeast(`${title}: webhooks delivered a second, beside 200 payments a second`, rate, 500),
  };
}

/** Webhooks a second until the backlog is gone, or until the payments end where it is not. */
function rateOf(arrivals: readonly number[]): number {
  const last = arrivals[BACKLOG - 1];
  if (last !== undefined && last < SECONDS * 1000) return (BACKLOG / last) * 1000;
  return arrivals.filter((ms) => ms < SECONDS * 1000).length / SECONDS;
}
