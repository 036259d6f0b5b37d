import { DatabaseSync } from 'node:sqlite';
import { openStore } from '../../relay/store/open.ts';
import type { Store } from '../../relay/store/store.ts';
import { approve, at, delivered, event, processing, sent } from '../../test/store/fixtures.ts';
import type { TestPostgres } from '../../test/support/stores/postgres.ts';
import { dropKeys } from '../filled-store/fill-postgres.ts';

/** The number of paid orders, spread over the `days` before `now` (milliseconds since 1970). */
export type Filling = { orders: number; days: number; now: number };

const DAY_MS = 86_400_000;

/** These two texts differ in each copy: the number of the order, in each of its ids, and its time. */
const NUMBER = '00000000';
const TIME = at(0);

/** The tables that a paid order has rows in. */
const tables = [
  ...['sessions', 'session_terms', 'attempts', 'orders', 'transactions', 'events'],
  ...['listed_orders', 'order_terms', 'listed_payments'],
];

/** Columns with the number of an order, and columns with a time in milliseconds. */
const NUMBERED = new Set(['events.seq', 'listed_orders.id', 'order_terms.order_id']);
const IN_MS = new Set(['listed_orders.created_at', 'order_terms.created_at']);

/** The search terms of an order: as many as a real one has, and about as long. */
const terms = [
  ...['all', 'paid', 'status approved', 'method card', 'currency BRL', 'amount BRL 10.00', 'last4 1111'],
  ...[`order o-${NUMBER}`, `transaction tx-${NUMBER}`, `email ${NUMBER}qM7xW2pL5tR8vK`, `from end ${NUMBER}-o`],
];

/** Writes one paid order, whose rows are then copied. */
async function makeOrder(store: Store): Promise<void> {
  const [id, order_no] = [`cs_${NUMBER}mX4vB8nQ2wT6yK1zP5sD9fGh`, `o-${NUMBER}`];
  await approve(store, await processing(store, id, order_no), `tx-${NUMBER}`);
  const webhook = event(`msg_${NUMBER}`, id, {
    type: 'session.approved',
    body: JSON.stringify({ data: 'x'.repeat(600) }),
  });
  await store.outbox.add([webhook]);
  await store.outbox.writeDelivery(sent(webhook), delivered);
  const paid = { paid_at: at(0), currency: 'BRL', amount: 1000n, kept: 1000n, isRenewal: false, isReversed: false };
  const order = () => ({ created_at: at(0), terms, payments: [paid] });
  while ((await store.listing.refresh(10, { order, operation: () => [] })) > 0);
}

/** The parts of a statement that differ between the databases: expressions for a copy's number and time, and clauses. */
type Dialect = {
  schema: string;
  number: string;
  moment: string;
  series: string;
  overriding: string;
};

/** The statement that copies the rows of a table. It reads each copy's number and time as `copy` and `ms`. */
function copying(
  table: string,
  columns: readonly (readonly [name: string, isText: boolean])[],
  dialect: Dialect,
): string {
  const values = columns.map(([name, isText]) => {
    if (NUMBERED.has(`${table}.${name}`)) return `t.${name} + copy`;
    if (IN_MS.has(`${table}.${name}`)) return 's.ms';
    return isText
      ? `replace(replace(t.${name}, '${NUMBER}', ${dialect.number}), '${TIME}', ${dialect.moment})`
      : `t.${name}`;
  });
  const names = columns.map(([name]) => name).join(', ');
  return `INSERT INTO ${dialect.schema}${table} (${names})${dialect.overriding}
    SELECT ${values.join(', ')} FROM ${dialect.series} JOIN ${dialect.schema}${table} AS t ON true`;
}

/** Fills a new database of a PostgreSQL server. Gives its address. */
export async function fillPostgres(postgres: TestPostgres, { orders, days, now }: Filling): Promise<string> {
  const address = await postgres.database();
  const run = (sql: string): Promise<Record<string, unknown>[]> => postgres.query(address, sql);
  const store = await openStore(address);
  await makeOrder(store);
  await store.close();
  const columns = await run(`SELECT table_name, column_name, data_type FROM information_schema.columns
    WHERE table_schema = 'turnpike' AND is_generated = 'NEVER' ORDER BY ordinal_position`);
  const [first, every] = [now - days * DAY_MS, (days * DAY_MS) / orders];
  const restore = await dropKeys(run);
  for (const table of tables) {
    const own = columns.filter(({ table_name }) => table_name === table);
    if (own.length === 0) continue;
    const text = copying(
      table,
      own.map(({ column_name, data_type }) => [String(column_name), data_type === 'text'] as const),
      {
        schema: 'turnpike.',
        number: "lpad(copy::text, 8, '0')",
        moment: `to_char(to_timestamp(s.ms / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
        series: `(SELECT copy, (${first} + copy * ${every}::float8)::bigint AS ms FROM generate_series(1, ${orders}) AS copy) AS s`,
        overriding: ' OVERRIDING SYSTEM VALUE',
      },
    );
    await run(`SET session_replication_role = replica; ${text}`);
  }
  await run(`SET maintenance_work_mem = '1GB'; ${restore.join('; ')}`);
  for (const [table, column] of [...NUMBERED].slice(0, 2).map((name) => name.split('.'))) {
    await run(`SELECT setval(pg_get_serial_sequence('turnpike.${table}', '${column}'), ${orders + 1})`);
  }
  await run('VACUUM ANALYZE');
  await run('CHECKPOINT');
  return address;
}

/** Fills a new SQLite file. */
export async function fillSqlite(path: string, { orders, days, now }: Filling): Promise<void> {
  const store = await openStore(`sqlite:${path}`);
  await makeOrder(store);
  await store.close();
  const db = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  db.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA cache_size = -1000000; BEGIN');
  const dropped = db
    .prepare("SELECT type, name, sql FROM sqlite_schema WHERE type IN ('index', 'trigger') AND sql IS NOT NULL")
    .all();
  for (const { type, name } of dropped) db.exec(`DROP ${String(type)} ${String(name)}`);
  const [first, every] = [now - days * DAY_MS, (days * DAY_MS) / orders];
  db.exec(`CREATE TEMP TABLE s AS WITH RECURSIVE r (copy) AS (SELECT 1 UNION ALL SELECT copy + 1 FROM r WHERE copy < ${orders})
    SELECT copy, CAST(${first} + copy * ${every} AS INTEGER) AS ms FROM r`);
  for (const table of tables) {
    const own = db.prepare(`PRAGMA table_info(${table})`).all();
    const text = copying(
      table,
      own.map(({ name, type }) => [String(name), type === 'TEXT'] as const),
      {
        schema: '',
        number: "printf('%08d', copy)",
        moment: "strftime('%Y-%m-%dT%H:%M:%fZ', s.ms / 1000.0, 'unixepoch')",
        series: 's',
        overriding: '',
      },
    );
    // This table is stored in the order of its key (WITHOUT ROWID), so it is filled in that order.
    db.exec(table === 'order_terms' ? `${text} ORDER BY 1, 2, 3, 4` : text);
  }
  for (const { sql } of dropped) db.exec(String(sql));
  db.exec('COMMIT; PRAGMA journal_mode = WAL');
  db.close();
}
