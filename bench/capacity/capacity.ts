import { startPostgres, type TestPostgres } from '../../test/support/stores/postgres.ts';
import { type Load, type Surroundings, startSurroundings, type Target } from '../harness/measure.ts';
import type { Benchmark, Report, Row } from '../harness/report.ts';
import { median } from '../harness/statistics.ts';
import { newStore, type StoreName, storeNames, storeTitles } from '../harness/stores.ts';
import { storeSize } from './store-size.ts';

const ROUNDS = 5;

/** Whole checkouts at a rate below the relay’s limit: 50 at once, with a gateway that takes 50 ms. */
const checkouts = (count: number): Load => ({ kind: 'checkout', count, pace: { concurrency: 50 }, delay_ms: 50 });
const COUNT = 2000;
const WARM_UP = 3000;

/** The loads that the table is computed for, in orders a second. */
const RATES = [10, 100, 1000, 10_000];

/** The planned use of a relay's thread, and of the database server's cores. */
const RELAY_SHARE = 0.6;
const DATABASE_SHARE = 0.7;
const CONNECTIONS_OF_A_RELAY = 11;

const SECONDS_OF_A_DAY = 86_400;

/** The cost of one order: CPU in microseconds, bytes on disk and of the WAL; and the memory of a relay under load, in MB. */
type Cost = { relay: number; database: number; disk: number; wal: number; memory: number };

/**
 * Measures the cost of one ordinary order (checkout, payment, webhooks and confirmation), and computes the machines for several
 * rates from it. The relay's process creates the sessions itself, without the shop's request.
 */
export const capacity: Benchmark = async (say, { only = [], rounds = ROUNDS } = {}) => {
  const surroundings = await startSurroundings();
  const stores = storeNames.filter((name) => only.length === 0 || only.includes(name));
  const postgres = stores.includes('postgres') ? await startPostgres({ fsync: true }) : undefined;
  const report: Report = { rows: [], aims: [], notes };
  try {
    for (const store of stores) {
      const cost = await costOf(store, { surroundings, postgres }, rounds, (line) =>
        say(`${storeTitles[store]}, ${line}`),
      );
      report.rows.push(costRow(store, cost));
      const machines = RATES.filter((rate) => store === 'postgres' || rate <= maxRateOfRelay(cost));
      report.rows.push(...machines.map((rate) => machinesRow(store, rate, cost)));
    }
    return report;
  } finally {
    await surroundings.stop();
    await postgres?.close();
  }
};

async function costOf(
  store: StoreName,
  { surroundings, postgres }: { surroundings: Surroundings; postgres: TestPostgres | undefined },
  rounds: number,
  say: (line: string) => void,
): Promise<Cost> {
  const options = await newStore(store, surroundings, postgres);
  const { databaseCpu = () => 0 } = options;
  const relay = await surroundings.relay({ ...options, webhooks: 'delivered' });
  say('warm-up');
  for (let step = 0; step < 2; step++) await orders(relay, WARM_UP);
  const costs: Cost[] = [];
  for (let round = 1; round <= rounds; round++) {
    say(`round ${round} of ${rounds}`);
    const [sizeBefore, databaseBefore] = [await storeSize(options.store), databaseCpu() ?? 0];
    const relayCpu = await orders(relay, COUNT);
    const [size, database] = [await storeSize(options.store), databaseCpu() ?? 0];
    costs.push({
      relay: relayCpu,
      database: (database - databaseBefore) / COUNT,
      disk: (size.disk - sizeBefore.disk) / COUNT,
      wal: (size.wal - sizeBefore.wal) / COUNT,
      memory: await relay.memory(),
    });
  }
  await relay.stop();
  const of = (part: keyof Cost): number => median(costs.map((cost) => cost[part]));
  return { relay: of('relay'), database: of('database'), disk: of('disk'), wal: of('wal'), memory: of('memory') };
}

/** Pays orders, confirms them, and lists them. Returns the relay's CPU for one order, in microseconds. */
async function orders(relay: Target, count: number): Promise<number> {
  const { cpu_us } = await relay.run(checkouts(count));
  const confirmed = await relay.confirm('whole', count);
  return cpu_us + confirmed + (await relay.list(count));
}

function costRow(store: StoreName, cost: Cost): Row {
  return {
    what: `${storeTitles[store]}, one order`,
    figures: {
      'relay CPU ms': cost.relay / 1000,
      ...(store === 'postgres' && { 'PostgreSQL CPU ms': cost.database / 1000, 'WAL KB': cost.wal / 1000 }),
      'disk KB': cost.disk / 1000,
      'memory MB of a relay': cost.memory,
    },
  };
}

/** The machines for a rate of orders, from what one order costs. */
function machinesRow(store: StoreName, rate: number, cost: Cost): Row {
  const what = `${storeTitles[store]}, ${rate.toLocaleString('en')} orders a second`;
  const disk = { 'disk GB a day': (rate * SECONDS_OF_A_DAY * cost.disk) / 1e9 };
  if (store === 'sqlite') return { what, figures: { relays: 1, 'relay cores': cores(rate * cost.relay), ...disk } };
  const relays = Math.max(2, Math.ceil(rate / maxRateOfRelay(cost)));
  return {
    what,
    figures: {
      relays,
      'relay cores': cores(rate * cost.relay),
      'PostgreSQL cores': cores(rate * cost.database),
      'cores of its machine': Math.max(2, Math.ceil(cores(rate * cost.database) / DATABASE_SHARE)),
      'WAL MB/s': (rate * cost.wal) / 1e6,
      ...disk,
      connections: relays * CONNECTIONS_OF_A_RELAY,
      'memory GB of the relays': (relays * cost.memory) / 1000,
    },
  };
}

const maxRateOfRelay = ({ relay }: Cost): number => (1e6 / relay) * RELAY_SHARE;
const cores = (microseconds: number): number => microseconds / 1e6;

const notes = [
  'One order: the form’s page, the request of its script, the payment, the shop’s server that reads the outcome, each webhook delivered, and the confirmation by a query, a hundred payments in one. 50 at once, gateway 50 ms. Medians of the rounds.',
  'Disk: tables and indexes as they are after the orders, until retention deletes them; orders and webhooks are kept. WAL: as PostgreSQL writes it, with the pages that a checkpoint repeats.',
  'Machines are computed from the first row, not measured. “Relay cores” are fully used; a relay works on one core, which should be idle for 40 % of the time, so that there are at least that many relays; the database’s cores for 30 %. With SQLite there is one relay.',
  'All processes share the cores of the machine.',
];
