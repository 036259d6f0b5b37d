import { type Attempt, nextLookAt, type Session } from '../../payments/session.ts';
import type { OrderTaken, Store } from '../store.ts';
import type { Database, Value } from './database.ts';
import { eventValues, lockSubjects } from './events.ts';
import { answerValues, leadValues } from './keys.ts';
import type { PostgresQuotas } from './quotas.ts';
import { parsed, sessionFrom } from './rows.ts';
import { sql } from './session-statements.ts';

type SessionMethods = Pick<
  Store,
  | 'createSession'
  | 'session'
  | 'attemptsOfOrder'
  | 'startAttempt'
  | 'startPayment'
  | 'settle'
  | 'update'
  | 'leaseDueSessions'
  | 'leaseStrandedSessions'
  | 'leaseExpirableSessions'
>;

/** No refund can name a longer transaction_id, and no index can hold one that is much longer. */
const MAX_REFUNDABLE_ID = 255;

/** Sessions, their attempts, and who holds each order. */
export function postgresSessions(db: Database, quotas: PostgresQuotas): SessionMethods {
  const refusal = async ({ account, order_no }: Session): Promise<OrderTaken | undefined> => {
    const [row] = await db.read(sql.hold, account, order_no);
    if (row?.hold === 'paid') return { kind: 'order_already_paid' };
    return row?.hold === 'held' ? { kind: 'order_in_progress' } : undefined;
  };

  return {
    createSession: async (session, answered) => {
      const [made] = await db.write([sql.create, ...sessionValues(session, null), ...answerValues(answered)]);
      // Where the order was freed meanwhile, it was held when this asked.
      return made ? { kind: 'created' } : ((await refusal(session)) ?? { kind: 'order_in_progress' });
    },

    session: async (id) => (await db.read(sql.session, id)).map(sessionFrom)[0],

    attemptsOfOrder: async (account, orderNo) =>
      (await db.read(sql.attempts, account, orderNo)).map((row) => parsed<Attempt>(row.data)),

    startAttempt: async (session, attempt, limits) => {
      const refused = await quotas.take(session, limits, attempt.started_at);
      if (refused) return refused;
      const values = [...changeValues(session, attempt.started_at), ...attemptValues(attempt)];
      const [row] = await db.write([sql.start, ...values]);
      if (row?.started === true) return { kind: 'started' };
      return (await refusal(session)) ?? { kind: row?.found === true ? 'order_in_progress' : 'changed' };
    },

    startPayment: async (session, attempt, limits, key) => {
      const refused = await quotas.take(session, limits, attempt.started_at);
      if (refused) return refused;
      const values = [...sessionValues(session, attempt.started_at), ...attemptValues(attempt)];
      const [row] = await db.write(key ? [sql.payWithKey, ...values, ...leadValues(key)] : [sql.pay, ...values]);
      if (row?.made === true) return { kind: 'created' };
      return (await refusal(session)) ?? { kind: row?.own === true ? 'order_in_progress' : 'key_lost' };
    },

    settle: async (session, attempt, hold, told) => {
      const { state, transaction_id = '' } = attempt;
      const isRefundable = transaction_id.length <= MAX_REFUNDABLE_ID && !transaction_id.includes('\0');
      const paid = state.status === 'approved' && transaction_id !== '' && isRefundable ? transaction_id : null;
      const settled = [JSON.stringify(attempt), paid, attempt.id, hold === 'unchanged' ? null : hold];
      const values = [...changeValues(session, null), ...settled, ...eventValues(told)];
      return (await db.write(...lockSubjects(told), [sql.settle, ...values])).length === 1;
    },

    update: async (session, told) => {
      const values = [...changeValues(session, null), ...eventValues(told)];
      return (await db.write(...lockSubjects(told), [sql.update, ...values])).length === 1;
    },

    leaseDueSessions: async ({ now, until, limit }, accounts) =>
      (await db.write([sql.leaseDue, now, until, limit, accounts])).map(sessionFrom),
    leaseStrandedSessions: async ({ now, until, limit }, before) =>
      (await db.write([sql.leaseStranded, now, until, limit, before])).map(sessionFrom),
    leaseExpirableSessions: async ({ now, until, limit }) =>
      (await db.write([sql.leaseExpirable, now, until, limit])).map(sessionFrom),
  };
}

function sessionValues(session: Session, startedAt: string | null): Value[] {
  const { id, account, order_no, version, revision, created_at, expires_at, terms, state } = session;
  const described = [startedAt, JSON.stringify(terms), JSON.stringify(state)];
  return [id, account, order_no, state.status, version, revision, created_at, expires_at, ...described];
}

function changeValues(session: Session, startedAt: string | null): Value[] {
  const { id, version, revision, expires_at, terms, state, watch } = session;
  const search = state.status === 'unknown' ? state.search : undefined;
  return [
    ...[state.status, version, revision, expires_at, startedAt, nextLookAt(session) ?? null],
    ...[search?.since ?? null, search?.needs_attention ?? false],
    ...[JSON.stringify(terms), JSON.stringify(state), watch ? JSON.stringify(watch) : null, id],
  ];
}

function attemptValues(attempt: Attempt): Value[] {
  const { id, session_id, account, order_no, started_at } = attempt;
  return [id, session_id, account, order_no, started_at, JSON.stringify(attempt)];
}
