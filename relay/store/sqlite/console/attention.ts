import { operationFrom, reconciliationFrom } from '../../rows.ts';
import type { Store } from '../../store.ts';
import type { Database } from '../file/database.ts';

type AttentionMethods = Pick<Store, 'openOperations' | 'putReconciliation' | 'lastReconciliation'>;

/** What waits for a person, beside orders and webhooks. */
export function sqliteAttention(db: Database): AttentionMethods {
  const open = { person: openOperations(db, 'IS NULL'), gateway: openOperations(db, 'IS NOT NULL') };
  const sql = {
    put: db.prepare(`INSERT INTO reconciliations (account, reported_at, data) VALUES (?, ?, ?)
      ON CONFLICT (account) DO UPDATE SET reported_at = excluded.reported_at, data = excluded.data`),
    last: db.prepare('SELECT data FROM reconciliations WHERE account = ?'),
  };
  return {
    openOperations: async ({ account, waitsFor, limit, most }) => {
      const { found, counted } = open[waitsFor];
      const [count = 0] = db.all(counted, [account, most], ({ n }) => Number(n));
      return { count, operations: await db.read(found, [account, limit], operationFrom) };
    },
    putReconciliation: (account, report) =>
      db.write(() => void sql.put.run(account, report.reported_at, JSON.stringify(report))),
    lastReconciliation: async (account) => (await db.read(sql.last, [account], reconciliationFrom))[0],
  };
}

function openOperations(db: Database, look: 'IS NULL' | 'IS NOT NULL') {
  const open = `FROM operations WHERE account = ? AND needs_person = 1 AND next_look_at ${look}`;
  return {
    found: db.prepare(`SELECT data ${open} ORDER BY created_at LIMIT ?`),
    counted: db.prepare(`SELECT count(*) AS n FROM (SELECT 1 ${open} LIMIT ?)`),
  };
}
