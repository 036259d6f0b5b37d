import type { Session } from '../../payments/session.ts';
import type { Answered } from '../facets/keys.ts';
import type { StoredAuditEntry } from '../facets/people.ts';
import type { Created, SessionStore } from '../facets/sessions.ts';
import { leasedAhead } from '../leases.ts';
import { filledColumn, newSessionColumns, newSessionRow, termsColumn } from '../order-changes.ts';
import { sessionColumns, sessionFrom } from '../rows.ts';
import { ask, type Plan, run, type Sql, statementsOf } from './plan.ts';

/** The functions that write other rows with a session, and the sessions in SQLite's cache. */
export type SessionParts = {
  addAudit(entry: StoredAuditEntry): Plan<void>;
  answer(answered: Answered): Plan<void>;
  /** A cached session. */
  known(id: string): Promise<Session | undefined>;
  /** The transaction adds this session. */
  added(session: Session): Plan<void>;
};

/** Sessions without their orders: new, changed and expired ones. */
export function sessions(db: Sql, parts: SessionParts): SessionStore {
  const sql = statements(db);
  const lease = db.lease({
    name: 'lease-expirable',
    table: 'sessions',
    from: db.dialect.terms.joined,
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
    create: (session, answered) =>
      db.write(function* (): Plan<Created> {
        const row = newSessionRow(session);
        const added = yield* ask(sql.createSession, ...newSessionColumns.map((column) => row[column]));
        if (added.length === 0) {
          const [order] = yield* ask(sql.holdOfOrder, session.account, session.order_no);
          // If the order was freed meanwhile, it was held when the session was refused.
          return { kind: order?.hold === 'paid' ? 'order_already_paid' : 'order_in_progress' };
        }
        if (answered) yield* parts.answer(answered);
        yield* parts.added(session);
        return { kind: 'created' };
      }),

    get: async (id) => (await parts.known(id)) ?? (await db.read(sql.session, id)).map(sessionFrom)[0],

    change: (session, audit) =>
      db.write(function* (): Plan<boolean> {
        const { id, version, revision, terms } = session;
        const changed = yield* ask(sql.changeSession, id, version, revision, filledColumn(terms));
        if (changed.length === 0) return false;
        yield* run([sql.changeTerms, id, termsColumn(terms)]);
        if (audit) yield* parts.addAudit(audit);
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

function statements(db: Sql) {
  const { table, terms } = db.dialect;
  const [own, orders] = [table('sessions'), table('orders')];
  const isFree = `NOT EXISTS (SELECT 1 FROM ${orders} WHERE account = $2 AND order_no = $3 AND hold <> 'free')`;
  const isApart = terms.table !== own;
  const columns = newSessionColumns.filter((column) => column !== 'terms' || !isApart);
  const values = columns.map((_, i) => `$${i + 1}`);
  return statementsOf(db.statement, {
    createSession: [
      ...(isApart ? [`INSERT INTO ${terms.table} (${terms.key}, terms) SELECT $1, $11 WHERE ${isFree}`] : []),
      `INSERT INTO ${own} (${columns.join(', ')}) SELECT ${values.join(', ')} WHERE ${isFree} RETURNING id`,
    ],
    holdOfOrder: `SELECT hold FROM ${orders} WHERE account = $1 AND order_no = $2`,
    session: `SELECT ${sessionColumns} FROM ${terms.joined} WHERE id = $1`,
    changeSession: `UPDATE ${own} SET version = $2, revision = $3, filled = $4, leased_until = NULL
      WHERE id = $1 AND version = $2 - 1 RETURNING id`,
    changeTerms: `UPDATE ${terms.table} SET terms = $2 WHERE ${terms.key} = $1`,
  });
}
