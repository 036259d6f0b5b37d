import type { Figures, StatsStore } from '../facets/stats.ts';
import { type Row, reconciliationFrom } from '../rows.ts';
import { run, type Sql } from './plan.ts';

/**
 * What the operator watches, each figure from an index of its own, and the last reconciliation of each account. The figures of metrics
 * wait for no disk.
 */
export function figures(db: Sql): Omit<StatsStore, 'get' | 'refresh'> {
  const sql = statements(db);
  return {
    figures: async (now, accounts): Promise<Figures> => {
      const found = await db.peek([
        [sql.unknown],
        [sql.needy],
        [sql.due, now, accounts],
        [sql.operations],
        [sql.pending],
        [sql.failed],
      ]);
      const [unknown = {}, needy = {}, due = {}, operations = {}, pending = {}, failed = {}] = found.map(
        ([row]) => row,
      );
      return {
        unknown_sessions: Number(unknown.n),
        ...named('unknown_since', unknown),
        needs_attention: Number(needy.n),
        ...named('query_due_since', due),
        unknown_operations: Number(operations.n),
        ...named('unknown_operations_since', operations),
        pending_events: Number(pending.n),
        ...named('pending_since', pending),
        failed_events: Number(failed.n),
      };
    },

    openBeside: async (accounts) => {
      const [orders = [], operations = []] = await db.peek([
        [sql.ordersBeside, accounts],
        [sql.operationsBeside, accounts],
      ]);
      const names = new Set([...orders, ...operations].map(({ account }) => String(account)));
      const countIn = (rows: readonly Row[], name: string): number =>
        Number(rows.find(({ account }) => account === name)?.n ?? 0);
      return [...names]
        .toSorted()
        .map((account) => ({ account, orders: countIn(orders, account), operations: countIn(operations, account) }));
    },

    putReconciliation: (account, report) =>
      db.write(() => run([sql.putReconciliation, account, report.reported_at, JSON.stringify(report)])),
    lastReconciliation: async (account) => (await db.read(sql.lastReconciliation, account)).map(reconciliationFrom)[0],
  };
}

function named<Name extends string>(name: Name, { since }: Row): { [N in Name]?: string } {
  const named: { [N in Name]?: string } = {};
  if (typeof since === 'string') named[name] = since;
  return named;
}

function statements(db: Sql) {
  const { table, is, anyOf, noneOf } = db.dialect;
  const [sessions, operations, events] = [table('sessions'), table('operations'), table('events')];
  const waits = is('needs_person');
  return {
    unknown: db.statement(
      'unknown-sessions',
      `SELECT count(*) AS n, min(unknown_since) AS since FROM ${sessions} WHERE unknown_since IS NOT NULL`,
    ),
    needy: db.statement('needy-sessions', `SELECT count(*) AS n FROM ${sessions} WHERE ${is('needs_attention')}`),
    due: db.statement(
      'overdue-query',
      `SELECT min(next_query_at) AS since FROM ${table('orders', 'orders_due')}
      WHERE next_query_at IS NOT NULL AND next_query_at <= $1 AND account ${anyOf('$2')}`,
    ),
    operations: db.statement(
      'unknown-operations',
      `SELECT count(*) AS n, min(created_at) AS since FROM ${operations} WHERE ${waits}`,
    ),
    pending: db.statement(
      'waiting-events',
      `SELECT count(*) AS n, (SELECT created_at FROM ${events} WHERE status = 'pending' ORDER BY seq LIMIT 1) AS since
      FROM ${events} WHERE status = 'pending'`,
    ),
    failed: db.statement('failed-events', `SELECT count(*) AS n FROM ${events} WHERE status = 'failed'`),
    ordersBeside: db.statement(
      'orders-beside',
      `SELECT account, count(*) AS n FROM ${table('orders')} WHERE next_query_at IS NOT NULL AND account ${noneOf('$1')}
      GROUP BY account`,
    ),
    operationsBeside: db.statement(
      'operations-beside',
      `SELECT account, count(*) AS n FROM ${table('operations', 'operations_unknown')}
      WHERE ${waits} AND account ${noneOf('$1')} GROUP BY account`,
    ),
    putReconciliation: db.statement(
      'put-reconciliation',
      `INSERT INTO ${table('reconciliations')} (account, reported_at, data) VALUES ($1, $2, $3)
      ON CONFLICT (account) DO UPDATE SET reported_at = excluded.reported_at, data = excluded.data`,
    ),
    lastReconciliation: db.statement(
      'last-reconciliation',
      `SELECT data FROM ${table('reconciliations')} WHERE account = $1`,
    ),
  };
}
