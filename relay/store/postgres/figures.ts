import { openFrom, operationFrom, type Row } from '../rows.ts';
import type { Figures, Store } from '../store.ts';
import type { Database } from './server/database.ts';

/** What the operator watches. Every figure comes from an index of its own, however much is stored. */
export function postgresFigures(db: Database): Pick<Store, 'figures' | 'openBeside'> {
  return {
    figures: async (now, accounts): Promise<Figures> => {
      const [row = {}] = await db.read(figures, now, accounts);
      return {
        unknown_sessions: Number(row.unknown_sessions),
        needs_attention: Number(row.needs_attention),
        unknown_operations: Number(row.unknown_operations),
        pending_events: Number(row.pending_events),
        failed_events: Number(row.failed_events),
        ...since(row, 'unknown_since', 'query_due_since', 'unknown_operations_since', 'pending_since'),
      };
    },
    openBeside: async (accounts) => (await db.read(beside, accounts)).map(openFrom),
  };
}

const figures = {
  name: 'figures',
  text: `SELECT unknown.*, operations.*,
    (SELECT min(next_query_at) FROM turnpike.orders WHERE next_query_at <= $1
      AND account = ANY ($2::text[])) AS query_due_since,
    (SELECT count(*) FROM turnpike.events WHERE status = 'pending') AS pending_events,
    (SELECT created_at FROM turnpike.events WHERE status = 'pending' ORDER BY seq LIMIT 1) AS pending_since,
    (SELECT count(*) FROM turnpike.events WHERE status = 'failed') AS failed_events
    FROM (SELECT count(*) AS unknown_sessions, min(unknown_since) AS unknown_since,
        (SELECT count(*) FROM turnpike.sessions WHERE needs_attention) AS needs_attention FROM turnpike.sessions WHERE unknown_since IS NOT NULL) AS unknown,
      (SELECT count(*) AS unknown_operations, min(created_at) AS unknown_operations_since
        FROM turnpike.operations WHERE needs_person) AS operations`,
};

const beside = {
  name: 'open-beside',
  text: `SELECT account, sum(orders) AS orders, sum(operations) AS operations FROM (
      SELECT account, 1 AS orders, 0 AS operations FROM turnpike.orders WHERE next_query_at IS NOT NULL
      UNION ALL SELECT account, 0, 1 FROM turnpike.operations WHERE needs_person) AS open
    WHERE account <> ALL ($1::text[]) GROUP BY account ORDER BY account`,
};

function since<Name extends string>(row: Row, ...names: Name[]): { [N in Name]?: string } {
  const since: { [N in Name]?: string } = {};
  for (const name of names) {
    const value = row[name];
    if (typeof value === 'string') since[name] = value;
  }
  return since;
}

type AttentionMethods = Pick<Store, 'openOperations'>;

/** What waits for a person, beside orders and webhooks. */
export function postgresAttention(db: Database): AttentionMethods {
  return {
    openOperations: async ({ account, waitsFor, limit, most }) => {
      const { found, counted } = open[waitsFor];
      const [[row], rows] = await Promise.all([db.read(counted, account, most), db.read(found, account, limit)]);
      return { count: Number(row?.n ?? 0), operations: rows.map(operationFrom) };
    },
  };
}

const openOperations = (name: string, look: 'IS NULL' | 'IS NOT NULL') => {
  const from = `FROM turnpike.operations WHERE account = $1 AND needs_person AND next_look_at ${look}`;
  // By both columns: the server would else rather read the operations of every account in order of their time.
  const order = 'ORDER BY account, created_at LIMIT $2';
  return {
    found: { name: `operations-${name}`, text: `SELECT data ${from} ${order}` },
    counted: {
      name: `count-operations-${name}`,
      text: `SELECT count(*) AS n FROM (SELECT 1 ${from} ${order}) AS open`,
    },
  };
};

const open = {
  person: openOperations('for-person', 'IS NULL'),
  gateway: openOperations('asked', 'IS NOT NULL'),
};
