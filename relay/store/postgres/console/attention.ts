import { operationFrom, reconciliationFrom } from '../../rows.ts';
import type { Store } from '../../store.ts';
import type { Database } from '../server/database.ts';

type AttentionMethods = Pick<Store, 'openOperations' | 'putReconciliation' | 'lastReconciliation'>;

/** What waits for a person, beside orders and webhooks. */
export function postgresAttention(db: Database): AttentionMethods {
  return {
    openOperations: async ({ account, waitsFor, limit, most }) => {
      const { found, counted } = open[waitsFor];
      const [[row], rows] = await Promise.all([db.read(counted, account, most), db.read(found, account, limit)]);
      return { count: Number(row?.n ?? 0), operations: rows.map(operationFrom) };
    },
    putReconciliation: async (account, report) =>
      void (await db.write([sql.put, account, report.reported_at, JSON.stringify(report)])),
    lastReconciliation: async (account) => (await db.read(sql.last, account)).map(reconciliationFrom)[0],
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

const sql = {
  put: {
    name: 'put-reconciliation',
    text: `INSERT INTO turnpike.reconciliations (account, reported_at, data) VALUES ($1, $2, $3)
      ON CONFLICT (account) DO UPDATE SET reported_at = excluded.reported_at, data = excluded.data`,
  },
  last: { name: 'last-reconciliation', text: 'SELECT data FROM turnpike.reconciliations WHERE account = $1' },
};
