import type { RetainedKind, RetentionStore } from '../../facets/retention.ts';
import { type Sql, type Step, statementsOf } from '../plan.ts';
import { type AgedKind, agedKinds } from './aged.ts';
import { isOperationOver } from './operations.ts';
import { isKeyOver } from './rows.ts';
import { isSessionOver } from './sessions.ts';
import { type Aged, walkText, walkValues } from './walk.ts';

/** The number of rows after the place of a walk among which the oldest overdue row is searched. */
const LOOKED_AT = 100;

/**
 * Since when the oldest row of each kind is overdue. Rows that are old and not over yet are before the place of a walk.
 */
export function overdue(db: Sql): RetentionStore['overdue'] {
  const sql = statements(db);
  return async (walks) => {
    const asked = walks.filter((walk): walk is typeof walk & { kind: AgedKind } => walk.kind !== 'counted');
    const steps = asked.map(({ kind, before, after }): Step => {
      return [sql[kind], ...walkValues(agedKinds[kind], before, after)];
    });
    const found = await db.peek(steps);
    return new Map<RetainedKind, string>(
      asked.flatMap(({ kind }, i) => {
        const oldest = found[i]?.[0]?.oldest;
        return typeof oldest === 'string' ? [[kind, oldest] as const] : [];
      }),
    );
  };
}

function statements(db: Sql) {
  const { table } = db.dialect;
  /** The first row of a walk. */
  const first = (kind: AgedKind): string =>
    `SELECT ${agedKinds[kind].time} AS oldest FROM (${walkText(db, agedKinds[kind], 1)}) AS w`;
  /** The first row of a walk that is over, among the next rows. */
  const firstOver = (kind: AgedKind, alias: string, isOver: string): string => {
    const aged: Aged = agedKinds[kind];
    const own = aged.key.map((column) => `${alias}.${column} = w.${column}`).join(' AND ');
    return `SELECT min(w.${aged.time}) AS oldest FROM (${walkText(db, aged, LOOKED_AT)}) AS w
      WHERE EXISTS (SELECT 1 FROM ${table(aged.table)} AS ${alias} WHERE ${own} AND ${isOver})`;
  };
  const all = statementsOf(db.statement, {
    overdueSessions: firstOver('sessions', 's', isSessionOver(db)),
    overdueOperations: firstOver('operations', 'o', isOperationOver(db)),
    overdueWebhooks: first('webhooks'),
    overdueNotifications: first('notifications'),
    overdueAudit: first('audit'),
    overdueNotes: first('notes'),
    overdueApprovals: first('approvals'),
    overdueReconciliations: first('reconciliations'),
    overdueRequests: first('requests'),
    overdueKeys: firstOver('keys', 'k', isKeyOver(db)),
  });
  return {
    ...{ sessions: all.overdueSessions, operations: all.overdueOperations, webhooks: all.overdueWebhooks },
    ...{ notifications: all.overdueNotifications, audit: all.overdueAudit, notes: all.overdueNotes },
    ...{
      approvals: all.overdueApprovals,
      reconciliations: all.overdueReconciliations,
      requests: all.overdueRequests,
      keys: all.overdueKeys,
    },
  };
}
