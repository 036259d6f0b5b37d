import { openFrom, operationFrom } from '../rows.ts';
import type { Figures, Store } from '../store.ts';
import type { Database, Row } from './file/database.ts';

/** What the operator watches. Every figure comes from an index of its own, however much is stored. */
export function sqliteFigures(db: Database): Pick<Store, 'figures' | 'openBeside'> {
  const sql = {
    unknown: db.prepare(
      `SELECT count(*) AS n, min(unknown_since) AS since FROM sessions WHERE unknown_since IS NOT NULL`,
    ),
    needy: db.prepare('SELECT count(*) AS n FROM sessions WHERE needs_attention = 1'),
    due: db.prepare(`SELECT min(next_query_at) AS since FROM orders INDEXED BY orders_due
      WHERE next_query_at IS NOT NULL AND next_query_at <= ? AND account IN (SELECT value FROM json_each(?))`),
    operations: db.prepare('SELECT count(*) AS n, min(created_at) AS since FROM operations WHERE needs_person = 1'),
    pending: db.prepare("SELECT count(*) AS n FROM events WHERE status = 'pending'"),
    oldest: db.prepare("SELECT created_at AS since FROM events WHERE status = 'pending' ORDER BY seq LIMIT 1"),
    failed: db.prepare("SELECT count(*) AS n FROM events WHERE status = 'failed'"),
    beside: db.prepare(`SELECT account, sum(orders) AS orders, sum(operations) AS operations FROM (
        SELECT account, 1 AS orders, 0 AS operations FROM orders WHERE next_query_at IS NOT NULL
        UNION ALL SELECT account, 0, 1 FROM operations WHERE needs_person = 1)
      WHERE account NOT IN (SELECT value FROM json_each(?)) GROUP BY account ORDER BY account`),
  };
  const one = (statement: ReturnType<Database['prepare']>, ...values: string[]): Row =>
    db.all(statement, values, (row) => row)[0] ?? {};
  return {
    figures: async (now, accounts): Promise<Figures> => {
      const unknown = one(sql.unknown);
      const operations = one(sql.operations);
      return {
        unknown_sessions: Number(unknown.n),
        ...named('unknown_since', unknown),
        needs_attention: Number(one(sql.needy).n),
        ...named('query_due_since', one(sql.due, now, JSON.stringify(accounts))),
        unknown_operations: Number(operations.n),
        ...named('unknown_operations_since', operations),
        pending_events: Number(one(sql.pending).n),
        ...named('pending_since', one(sql.oldest)),
        failed_events: Number(one(sql.failed).n),
      };
    },
    openBeside: (accounts) => db.read(sql.beside, [JSON.stringify(accounts)], openFrom),
  };
}

function named<Name extends string>(name: Name, { since }: Row): { [N in Name]?: string } {
  const named: { [N in Name]?: string } = {};
  if (typeof since === 'string') named[name] = since;
  return named;
}

type AttentionMethods = Pick<Store, 'openOperations'>;

/** What waits for a person, beside orders and webhooks. */
export function sqliteAttention(db: Database): AttentionMethods {
  const open = { person: openOperations(db, 'IS NULL'), gateway: openOperations(db, 'IS NOT NULL') };
  return {
    openOperations: async ({ account, waitsFor, limit, most }) => {
      const { found, counted } = open[waitsFor];
      const [count = 0] = db.all(counted, [account, most], ({ n }) => Number(n));
      return { count, operations: await db.read(found, [account, limit], operationFrom) };
    },
  };
}

function openOperations(db: Database, look: 'IS NULL' | 'IS NOT NULL') {
  const open = `FROM operations WHERE account = ? AND needs_person = 1 AND next_look_at ${look}`;
  return {
    found: db.prepare(`SELECT data ${open} ORDER BY created_at LIMIT ?`),
    counted: db.prepare(`SELECT count(*) AS n FROM (SELECT 1 ${open} LIMIT ?)`),
  };
}
