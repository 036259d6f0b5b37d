import type { Payment } from '../order.ts';
import { type Decision, withOrder, withSession } from '../transitions.ts';

/**
 * The decision with a payment marked whose transaction paid another order before: the gateway charged both under one
 * transaction_id, and a person must find out what it did. The order stays paid, and its session says so.
 * @param other the order_no that it paid before
 */
export function markAlsoPaid(decision: Decision, transactionId: string, other: string): Decision {
  const isShared = ({ transaction_id }: Payment): boolean => transaction_id === transactionId;
  const payments = decision.order.payments.map((one) => (isShared(one) ? { ...one, also_paid: other } : one));
  return decision.order.sessions.reduce(
    (marked, session) => {
      const { state } = session;
      if (state.status !== 'approved' || state.transaction_id !== transactionId) return marked;
      return withSession(marked, { ...session, state: { ...state, needs_attention: true } });
    },
    withOrder(decision, { payments }),
  );
}

/** Whether the transaction paid another order before, as far as that is marked. */
export function isAlsoPaid(payments: readonly Payment[], transactionId: string): boolean {
  return payments.some((one) => one.transaction_id === transactionId && one.also_paid !== undefined);
}
