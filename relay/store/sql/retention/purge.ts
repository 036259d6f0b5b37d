import type { Purged, PurgeStep, RetainedKind, RetentionStore } from '../../facets/retention.ts';
import type { ListParts } from '../listing.ts';
import type { Plan, Sql } from '../plan.ts';
import { forgetOperations } from './operations.ts';
import { forgetKeys, forgetRows } from './rows.ts';
import { forgetSessions } from './sessions.ts';
import type { Walked } from './walk.ts';

/** The parts that differ between the databases. */
export type RetentionParts = {
  lockList: ListParts['lockList'];
  /** Takes a step through the attempts that were counted before a moment. */
  forgetCounted(step: PurgeStep): Plan<Walked>;
  /** Deletes at most `limit` claims of keys that are kept outside of the database, and returns their number. */
  forgetClaims(before: string, limit: number): number;
};

/** The steps of each kind: a step finds the next old rows by their keys, and deletes those that are over. */
export function purge(db: Sql, parts: RetentionParts): RetentionStore['purge'] {
  const auditTerms = db.statement(
    'forget-audit-terms',
    `DELETE FROM ${db.dialect.table('audit_terms')} WHERE seq ${db.dialect.anyNumberOf('$1')}`,
  );
  const steps: Readonly<Record<Exclude<RetainedKind, 'counted'>, (step: PurgeStep) => Plan<Walked>>> = {
    sessions: forgetSessions(db, parts.lockList),
    operations: forgetOperations(db),
    webhooks: forgetRows(db, 'webhooks'),
    notifications: forgetRows(db, 'notifications'),
    audit: forgetRows(db, 'audit', (rows) => [[auditTerms, rows.map(({ seq }) => Number(seq))]]),
    notes: forgetRows(db, 'notes'),
    approvals: forgetRows(db, 'approvals'),
    reconciliations: forgetRows(db, 'reconciliations'),
    requests: forgetRows(db, 'requests'),
    keys: forgetKeys(db),
  };

  return async (step) => {
    const { kind, before, limit } = step;
    const claims = kind === 'keys' ? parts.forgetClaims(before, limit) : 0;
    return db.write(function* (): Plan<Purged> {
      const start = performance.now();
      yield* db.byIndex();
      const walked = yield* kind === 'counted' ? parts.forgetCounted(step) : steps[kind](step);
      const isMore = walked.isMore ?? (walked.rows.length >= limit || claims >= limit);
      // If nothing follows the place, the next walk continues there. Counted attempts have no such place.
      const last = walked.last ?? (kind === 'counted' ? undefined : step.after);
      return { isMore, ...(last ? { last } : {}), ms: performance.now() - start };
    });
  };
}
