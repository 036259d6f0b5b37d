import type { Attempt, Session, SessionState } from '../../relay/payments/session.ts';
import type { Circumstances } from '../../relay/payments/transitions.ts';
import { order } from '../../shared/checkout/session.ts';

export const now = new Date('2026-01-01T12:00:00.000Z');
const limits = {
  attempts_per_session: 3,
  attempts_per_ip_per_hour: 30,
  attempts_per_card_per_hour: 10,
  attempts_per_account_per_minute: 600,
};
const resolve = { first_ms: 1000, max_ms: 60_000, absent_ms: 900_000, give_up_ms: 86_400_000 };
export const result = { code: '2001', message: 'no' };

/** A session of one order, in this state. */
export function session(state: SessionState): Session {
  return {
    id: 'cs_1',
    account: 'demo',
    order_no: 'A',
    created_at: now.toISOString(),
    expires_at: '2026-01-02T12:00:00.000Z',
    revision: 1,
    version: 7,
    terms: {
      order: order.parse({ order_no: 'A', currency: 'BRL', amount: '10.00' }),
      methods: [{ type: 'card' }],
      installment_options: [],
      saved_cards: [],
      collect: [],
    },
    state,
  };
}

/** An attempt to pay that order. */
export function attempt(id: string, state: Attempt['state'] = { status: 'in_flight' }): Attempt {
  const started_at = now.toISOString();
  return {
    id,
    session_id: 'cs_1',
    account: 'demo',
    order_no: 'A',
    method: 'card',
    amount: '10.00',
    currency: 'BRL',
    started_at,
    state,
  };
}

/** The rules’ surroundings, with every attempt of the order. */
export const circumstances = (...attempts: Attempt[]): Circumstances => ({ now, attempts, limits, resolve });

/** A session that has been unknown for so long, and was not known to so many queries in a row. */
export function unknownSession(minutesAgo: number, absentLooks: number): Session {
  const since = new Date(now.getTime() - minutesAgo * 60_000).toISOString();
  const search = {
    reason: 'timeout' as const,
    since,
    next_look_at: since,
    looks: 5,
    absent_looks: absentLooks,
    needs_attention: false,
  };
  return session({ status: 'unknown', attempt_id: '1', search });
}
