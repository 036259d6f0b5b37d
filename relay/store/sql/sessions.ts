import type { StoredAuditEntry } from '../facets/people.ts';
import type { SessionStore } from '../facets/sessions.ts';
import { leasedAhead } from '../leases.ts';
import { filledColumn, termsColumn } from '../order-changes.ts';
import { sessionColumns, sessionFrom } from '../rows.ts';
import { ask, type Plan, run, type Sql, statementsOf } from './plan.ts';

/**
 * Open sessions that change, and those whose time is over.
 * @param addAudit adds an entry to the audit log as part of a transaction
 */
export function sessions(
  db: Sql,
  addAudit: (entry: StoredAuditEntry) => Plan<void>,
): Pick<SessionStore, 'change' | 'leaseExpirable'> {
  const { table, terms } = db.dialect;
  const sql = statementsOf(db.statement, {
    changeSession: `UPDATE ${table('sessions')} SET version = $2, revision = $3, filled = $4, leased_until = NULL
      WHERE id = $1 AND version = $2 - 1 RETURNING id`,
    changeTerms: `UPDATE ${terms.table} SET terms = $2 WHERE ${terms.key} = $1`,
  });
  const lease = db.lease({
    name: 'lease-expirable',
    table: 'sessions',
    from: terms.joined,
    key: ['id'],
    columns: sessionColumns,
    due: [
      {
        where: `status = 'open' AND expires_at <= $5 AND (leased_until IS NULL OR leased_until <= $2 OR leased_until > $4)`,
        order: ['expires_at'],
      },
    ],
    set: 'leased_until = $3',
  });

  return {
    change: (session, audit) =>
      db.write(function* (): Plan<boolean> {
        const { id, version, revision, terms } = session;
        const changed = yield* ask(sql.changeSession, id, version, revision, filledColumn(terms));
        if (changed.length === 0) return false;
        yield* run([sql.changeTerms, id, termsColumn(terms)]);
        if (audit) yield* addAudit(audit);
        yield* db.forgetOrder(session);
        return true;
      }),

    leaseExpirable: async ({ now, until, limit }) => {
      const { kept } = await db.times(now);
      const values = [kept(now), kept(until), leasedAhead({ until: kept(until) }), now] as const;
      return (await lease(limit, ...values)).map(sessionFrom);
    },
  };
}
