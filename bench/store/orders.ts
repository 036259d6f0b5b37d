import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { ListPlace, OrderSearch } from '../../relay/store/listing.ts';
import { openPostgres } from '../../relay/store/postgres/open.ts';
import { openSqlite } from '../../relay/store/sqlite/open.ts';
import type { Store } from '../../relay/store/store.ts';
import { startPostgres } from '../../test/support/stores/postgres.ts';
import { payments, startSurroundings } from '../harness/measure.ts';
import { postgresCpu } from '../harness/postgres-cpu.ts';
import { atMost, type Benchmark, type Row, type Target } from '../harness/report.ts';
import { compared, cpuRatio, inTurns, middle } from '../harness/rounds.ts';
import { fillPostgresList, fillSqliteList, type ListedFrom } from './fill-list.ts';

const ORDERS = 1_000_000;
const PAGES = 60;
const LIMIT = 50;
const ROUNDS = 8;

/** The CPU that a page may take. */
const MAX_PAGE_MS = 5;

const newest = Date.parse('2027-03-31T10:00:00.000Z');
const from: ListedFrom = { account: 'demo', order_no: 'A', created_at: new Date(newest).toISOString() };

/** A week in the middle of the list, which is eleven days long. */
const week = { from: newest - 9 * 86_400_000, to: newest - 2 * 86_400_000 };

type Wanted = Pick<OrderSearch, 'groups'> & Partial<OrderSearch>;

const only = (term: string, ...others: string[]): Wanted => ({ groups: [[term], ...others.map((one) => [one])] });

/** Every single filter, and the combinations that a console offers. */
const searches: Readonly<Record<string, Wanted>> = {
  'all orders': only('all'),
  'created from and to': { ...only('all'), ...week },
  status: only('status open'),
  'status + date': { ...only('status open'), ...week },
  needs_attention: only('attention'),
  'needs_attention + date': { ...only('attention'), ...week },
  payment_method: only('method PIX'),
  'payment_method + date': { ...only('method PIX'), ...week },
  'last four': only('last4 0042'),
  'last four + date': { ...only('last4 0042'), ...week },
  currency: only('currency USD'),
  'currency + amount': only('amount BRL 110.90'),
  'currency + amount + date': { ...only('amount BRL 110.90'), ...week },
  'e-mail, under two secrets': { groups: [['email 0000000000000000000017', 'email none']] },
  order_no: only('order A-00500000'),
  'order_no, prefix of 100': { ...only('all'), prefix: 'order A-005000' },
  'order_no, prefix of 1,000,000': { ...only('all'), prefix: 'order A-' },
  transaction_id: only('transaction 202700000000500000'),
  'transaction_id, prefix of 100': { ...only('all'), prefix: 'transaction 2027000000005000' },
  'status + method + last four': only('last4 0042', 'method PIX', 'status open'),
  'two that no order has together': only('method PIX', 'last4 none'),
};

/** Pages of the list of a million orders, and what keeping it costs a payment. */
export const orders: Benchmark = async (say, { rounds = ROUNDS } = {}) => {
  const surroundings = await startSurroundings();
  try {
    const sqlite = await sqlitePages(join(surroundings.folder(), 'orders.db'), say);
    const postgres = await postgresPages(say);
    const cost = await costOfListing(surroundings, rounds, say);
    return {
      rows: [...pageRows('SQLite', sqlite), ...pageRows('PostgreSQL', postgres), ...cost.rows],
      targets: [
        atMost('CPU of the dearest page, SQLite', dearest(sqlite), MAX_PAGE_MS, ' ms'),
        atMost('CPU of the dearest page, PostgreSQL with its server', dearest(postgres), MAX_PAGE_MS, ' ms'),
        ...cost.targets,
      ],
      notes: [
        `${ORDERS} orders, ${LIMIT} a page; each figure is the mean of ${PAGES} pages, the first and others from all over the list.`,
        'A payment with its list and one without differ by triggers of the file: without them nothing waits to be listed.',
      ],
    };
  } finally {
    await surroundings.stop();
  }
};

type Pages = Map<string, number>;

function pageRows(store: string, pages: Pages): Row[] {
  return [...pages].map(([what, ms]) => ({ what: `${store}: ${what}`, figures: { 'CPU ms a page': ms } }));
}

function dearest(pages: Pages): number {
  return Math.max(...pages.values());
}

async function sqlitePages(path: string, say: (line: string) => void): Promise<Pages> {
  await openSqlite(path).close();
  say(`listing ${ORDERS} orders in SQLite`);
  const db = new DatabaseSync(path);
  db.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA cache_size = -200000; BEGIN;');
  fillSqliteList(db, from, "'A-' || printf('%08d', n)", ORDERS);
  db.exec('COMMIT; PRAGMA journal_mode = WAL;');
  db.close();
  const store = openSqlite(path);
  try {
    return await pagesOf(store, () => 0);
  } finally {
    await store.close();
  }
}

async function postgresPages(say: (line: string) => void): Promise<Pages> {
  const postgres = await startPostgres();
  try {
    const address = await postgres.database();
    const store = await openPostgres(address);
    say(`listing ${ORDERS} orders in PostgreSQL`);
    for (const statement of fillPostgresList(from, "'A-' || lpad(n::text, 8, '0')", ORDERS)) {
      await postgres.query(address, statement);
    }
    const cpu = await postgresCpu(postgres, address);
    try {
      return await pagesOf(store, () => cpu() ?? 0);
    } finally {
      await store.close();
    }
  } finally {
    await postgres.close();
  }
}

/** The CPU in milliseconds of a page of each search. */
async function pagesOf(store: Store, serverCpu: () => number): Promise<Pages> {
  const found: Pages = new Map();
  for (const [what, wanted] of Object.entries(searches)) {
    const read = async (count: number): Promise<void> => {
      for (let page = 0; page < count; page++) {
        const place: ListPlace = { created_at: newest - Math.floor((page / count) * ORDERS) * 1000, id: ORDERS };
        const after = page === 0 ? {} : { after: place };
        await store.searchOrders({ account: from.account, limit: LIMIT, ...wanted, ...after });
      }
    };
    await read(5);
    const [cpu, server] = [process.cpuUsage(), serverCpu()];
    await read(PAGES);
    const { user, system } = process.cpuUsage(cpu);
    found.set(what, (user + system + serverCpu() - server) / PAGES / 1000);
  }
  return found;
}

/** What a payment costs with the list and without. */
async function costOfListing(
  surroundings: Awaited<ReturnType<typeof startSurroundings>>,
  rounds: number,
  say: (line: string) => void,
): Promise<{ rows: Row[]; targets: Target[] }> {
  const folder = surroundings.folder();
  const [listed, bare] = [join(folder, 'listed.db'), join(folder, 'bare.db')];
  await openSqlite(listed).close();
  copyFileSync(listed, bare);
  const db = new DatabaseSync(bare);
  const triggers = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all();
  for (const { name } of triggers) db.exec(`DROP TRIGGER ${String(name)}`);
  db.close();
  const targets = [
    await surroundings.relay({ store: `sqlite:${bare}` }),
    await surroundings.relay({ store: `sqlite:${listed}` }),
  ];
  for (const target of targets) await target.run(payments(3000, 50));
  const [without = [], own = []] = await inTurns(targets, payments(1500, 50), rounds, (line) =>
    say(`payments, ${line}`),
  );
  return {
    rows: [
      { what: 'a payment without the list', figures: { 'CPU µs': middle(without, ({ cpu_us }) => cpu_us) } },
      { what: 'a payment with the list', figures: { 'CPU µs': middle(own, ({ cpu_us }) => cpu_us) } },
    ],
    targets: [atMost('CPU of a payment, × one without the list', compared(own, without, cpuRatio), 1.02)],
  };
}
