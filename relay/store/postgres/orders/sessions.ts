import type { Session } from '../../../payments/session.ts';
import { later, leasedAhead } from '../../ahead.ts';
import { sessionFrom } from '../../rows.ts';
import type { OrderTaken, Store } from '../../store.ts';
import { auditRows } from '../audit.ts';
import { answerKey, answerValues } from '../keys.ts';
import { type Database, list, values } from '../server/database.ts';
import { columns, filledColumn, termsColumn } from './order-statements.ts';

type SessionMethods = Pick<Store, 'createSession' | 'session' | 'changeSession' | 'leaseExpirableSessions'>;

/** Sessions by themselves: new ones, open ones that change, and those whose time or whose relay is over. */
export function postgresSessions(db: Database): SessionMethods {
  const refusal = async ({ account, order_no }: Session): Promise<OrderTaken | undefined> => {
    const [row] = await db.read(sql.hold, account, order_no);
    if (row?.hold === 'paid') return { kind: 'order_already_paid' };
    return row?.hold === 'held' ? { kind: 'order_in_progress' } : undefined;
  };

  return {
    createSession: async (session, answered) => {
      const { id, account, order_no, state, version, revision, created_at, expires_at, terms } = session;
      const described = [termsColumn(terms), JSON.stringify(state), filledColumn(terms)];
      const row = [id, account, order_no, state.status, version, revision, created_at, expires_at, ...described];
      const [made] = await db.write([sql.create, ...row, ...answerValues(answered)]);
      // Where the order was freed meanwhile, it was held when this asked.
      return made ? { kind: 'created' } : ((await refusal(session)) ?? { kind: 'order_in_progress' });
    },

    session: async (id) => (await db.read(sql.session, id)).map(sessionFrom)[0],

    changeSession: async ({ id, version, revision, terms }, audit) => {
      const change = [id, version, revision, termsColumn(terms), filledColumn(terms)] as const;
      return (await db.write([sql.change, ...change, list(auditRows([audit]))])).length === 1;
    },

    leaseExpirableSessions: async (work) => {
      const ahead = await db.ahead(work.now);
      const [now, until] = [later(work.now, ahead), later(work.until, ahead)];
      const rows = await db.write([sql.leaseExpirable, now, until, work.limit, leasedAhead({ until }), work.now]);
      return rows.map(sessionFrom);
    },
  };
}

/** Leases rows that are free; `$1` is now, `$2` the lease's end, `$3` how many, `$4` the latest end of a lease. */
function lease(found: string, order: string): string {
  return `WITH due AS (SELECT id FROM turnpike.sessions WHERE ${found}
      AND (leased_until IS NULL OR leased_until <= $1 OR leased_until > $4) ORDER BY ${order} LIMIT $3 FOR UPDATE SKIP LOCKED),
    leased AS (UPDATE turnpike.sessions AS s SET leased_until = $2 FROM due WHERE s.id = due.id RETURNING s.*)
    SELECT ${columns} FROM leased ORDER BY ${order}`;
}

const sql = {
  create: {
    name: 'create-session',
    text: `WITH made AS (INSERT INTO turnpike.sessions
        (id, account, order_no, status, version, revision, created_at, expires_at, terms, state, filled)
        SELECT ${values(1, 11)} WHERE NOT EXISTS (SELECT 1
        FROM turnpike.orders WHERE account = $2 AND order_no = $3 AND hold <> 'free') RETURNING id),
      answered AS (${answerKey(12, 'EXISTS (SELECT 1 FROM made)')})
      SELECT id FROM made`,
  },
  session: { name: 'session', text: `SELECT ${columns} FROM turnpike.sessions WHERE id = $1` },
  hold: { name: 'hold', text: 'SELECT hold FROM turnpike.orders WHERE account = $1 AND order_no = $2' },
  change: {
    name: 'change-session',
    text: `WITH changed AS (UPDATE turnpike.sessions SET version = $2, revision = $3, terms = $4, filled = $5, leased_until = NULL
        WHERE id = $1 AND version = $2 - 1 RETURNING id)
      SELECT id, turnpike.add_audits($6) FROM changed`,
  },
  leaseExpirable: { name: 'lease-expirable', text: lease("status = 'open' AND expires_at <= $5", 'expires_at') },
};
