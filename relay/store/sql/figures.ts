import { type StatsStore, storedFigures } from '../facets/stats.ts';
import { reconciliationFrom } from '../rows.ts';
import { run, type Sql, statementsOf } from './plan.ts';

/**
 * The operator's figures, each from its own index, and the last reconciliation of each account. The figures for metrics
 * never wait for the disk.
 */
export function figures(db: Sql): Omit<StatsStore, 'get' | 'refresh'> {
  const sql = statements(db);
  return {
    figures: async (now, accounts) => {
      const steps = [
        sql.unknownSessions,
        sql.needySessions,
        sql.unknownOperations,
        sql.waitingEvents,
        sql.failedEvents,
      ].map((one) => [one] as const);
      const found = await db.peek([...steps, [sql.overdueQuery, now, accounts]]);
      const known = found.flatMap(([row = {}]) => Object.entries(row)).filter(([, value]) => value !== null);
      return storedFigures.parse(Object.fromEntries(known));
    },

    openBeside: async (accounts) => {
      const [rows = []] = await db.peek([[sql.openBeside, accounts]]);
      return rows.map(({ account, orders, operations }) => ({
        ...{ account: String(account), orders: Number(orders), operations: Number(operations) },
      }));
    },

    putReconciliation: (account, report) =>
      db.write(() => run([sql.putReconciliation, account, report.reported_at, JSON.stringify(report)])),
    lastReconciliation: async (account) => (await db.read(sql.lastReconciliation, account)).map(reconciliationFrom)[0],
  };
}

/** The columns have the names of the figures. */
function statements(db: Sql) {
  const { table, is, anyOf, noneOf } = db.dialect;
  const [sessions, operations, events] = [table('sessions'), table('operations'), table('events')];
  const waits = "status = 'pending' AND endpoint <> ''";
  return statementsOf(db.statement, {
    unknownSessions: `SELECT count(*) AS unknown_sessions, min(unknown_since) AS unknown_since FROM ${sessions}
      WHERE unknown_since IS NOT NULL`,
    needySessions: `SELECT count(*) AS needs_attention FROM ${sessions} WHERE ${is('needs_attention')}`,
    overdueQuery: `SELECT min(next_query_at) AS query_due_since FROM ${table('orders', 'orders_due')}
      WHERE next_query_at IS NOT NULL AND next_query_at <= $1 AND account ${anyOf('$2')}`,
    unknownOperations: `SELECT count(*) AS unknown_operations, min(created_at) AS unknown_operations_since FROM ${operations} WHERE ${is('needs_person')}`,
    waitingEvents: `SELECT count(*) AS pending_events, (SELECT created_at FROM ${events} WHERE ${waits} ORDER BY seq LIMIT 1)
        AS pending_since FROM ${events} WHERE ${waits}`,
    failedEvents: `SELECT count(*) AS failed_events FROM ${events} WHERE status = 'failed' AND event_id IS NULL`,
    openBeside: `SELECT account, sum(orders) AS orders, sum(operations) AS operations FROM (
        SELECT account, 1 AS orders, 0 AS operations FROM ${table('orders', 'orders_due')}
          WHERE next_query_at IS NOT NULL AND account ${noneOf('$1')}
        UNION ALL SELECT account, 0, 1 FROM ${table('operations', 'operations_unknown')}
          WHERE ${is('needs_person')} AND account ${noneOf('$1')}) AS known GROUP BY account ORDER BY account`,
    putReconciliation: `INSERT INTO ${table('reconciliations')} (account, reported_at, data) VALUES ($1, $2, $3)
      ON CONFLICT (account) DO UPDATE SET reported_at = excluded.reported_at, data = excluded.data`,
    lastReconciliation: `SELECT data FROM ${table('reconciliations')} WHERE account = $1`,
  });
}
