import { alarmOf } from '../ledger/standing.ts';
import type { OrderPayment } from '../order.ts';
import { type Decision, withSession } from '../transitions.ts';
import { isAlsoPaid } from './proof.ts';

/** Sets or ends the alarm of the payment's session, if the change of the payment does. */
export function withAlarm(decision: Decision, before: OrderPayment, after: OrderPayment): Decision {
  const isAlarm = alarmOf(after) !== undefined;
  if ((alarmOf(before) !== undefined) === isAlarm) return decision;
  const { transaction_id } = after;
  const session = decision.order.sessions.find(
    ({ state }) => state.status === 'approved' && state.transaction_id === transaction_id,
  );
  if (session?.state.status !== 'approved') return decision;
  const { needs_attention: _, ...state } = session.state;
  const isNeeded = isAlarm || isAlsoPaid(decision.order.payments, transaction_id);
  return withSession(decision, {
    ...session,
    state: isNeeded ? { ...state, needs_attention: true } : state,
  });
}
