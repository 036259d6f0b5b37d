import { reconciliationFrom } from '../rows.ts';
import type { Store } from '../store.ts';
import { run, type Sql } from './plan.ts';

/** The last reconciliation of each account. */
export function reconciliations(db: Sql): Pick<Store, 'putReconciliation' | 'lastReconciliation'> {
  const table = db.dialect.table('reconciliations');
  const sql = {
    put: db.statement(
      'put-reconciliation',
      `INSERT INTO ${table} (account, reported_at, data) VALUES ($1, $2, $3)
      ON CONFLICT (account) DO UPDATE SET reported_at = excluded.reported_at, data = excluded.data`,
    ),
    last: db.statement('last-reconciliation', `SELECT data FROM ${table} WHERE account = $1`),
  };
  return {
    putReconciliation: (account, report) =>
      db.write(() => run([sql.put, account, report.reported_at, JSON.stringify(report)])),
    lastReconciliation: async (account) => (await db.read(sql.last, account)).map(reconciliationFrom)[0],
  };
}
