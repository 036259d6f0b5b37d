import type { Session } from '../../../payments/session.ts';
import type { OrderTaken, SessionStore } from '../../facets/sessions.ts';
import { filledColumn, termsColumn } from '../../order-changes.ts';
import { sessionColumns, sessionFrom } from '../../rows.ts';
import { statementsOf } from '../../sql/plan.ts';
import { statement } from '../driver.ts';
import { answerKey, answerValues } from '../keys.ts';
import { type PostgresDatabase, values } from '../server/database.ts';

type SessionMethods = Pick<SessionStore, 'create' | 'get'>;

/** New sessions, and sessions by themselves. */
export function postgresSessions(db: PostgresDatabase): SessionMethods {
  const refusal = async ({ account, order_no }: Session): Promise<OrderTaken | undefined> => {
    const [row] = await db.read(sql.hold, account, order_no);
    if (row?.hold === 'paid') return { kind: 'order_already_paid' };
    return row?.hold === 'held' ? { kind: 'order_in_progress' } : undefined;
  };

  return {
    create: async (session, answered) => {
      const { id, account, order_no, state, version, revision, created_at, expires_at, terms } = session;
      const described = [termsColumn(terms), JSON.stringify(state), filledColumn(terms)];
      const row = [id, account, order_no, state.status, version, revision, created_at, expires_at, ...described];
      const [made] = await db.write([sql.createSession, ...row, ...answerValues(answered)]);
      // Where the order was freed meanwhile, it was held when this asked.
      return made ? { kind: 'created' } : ((await refusal(session)) ?? { kind: 'order_in_progress' });
    },

    get: async (id) => (await db.read(sql.session, id)).map(sessionFrom)[0],
  };
}

const sql = statementsOf(statement, {
  createSession: `WITH made AS (INSERT INTO turnpike.sessions
        (id, account, order_no, status, version, revision, created_at, expires_at, terms, state, filled)
        SELECT ${values(1, 11)} WHERE NOT EXISTS (SELECT 1
        FROM turnpike.orders WHERE account = $2 AND order_no = $3 AND hold <> 'free') RETURNING id),
      answered AS (${answerKey(12, 'EXISTS (SELECT 1 FROM made)')})
      SELECT id FROM made`,
  session: `SELECT ${sessionColumns} FROM turnpike.sessions WHERE id = $1`,
  hold: 'SELECT hold FROM turnpike.orders WHERE account = $1 AND order_no = $2',
});
