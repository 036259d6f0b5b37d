import type { PaymentDetails } from '../../gateway/outcome.ts';
import type { Attempt } from '../attempt.ts';
import { isProved, type OrderPayment } from '../order.ts';
import type { SessionState } from '../session.ts';
import { type Decision, withOrder, withSession } from '../transitions.ts';
import { type BookRecord, isSameSum } from './records.ts';

/** The proof of a payment, with everything else that is known of it. */
export type Proof = Pick<
  OrderPayment,
  'transaction_id' | 'amount' | 'currency' | 'proof' | 'unsigned' | 'date' | 'recurring_id'
> & {
  card?: string;
  details?: PaymentDetails;
  result?: Extract<SessionState, { status: 'approved' }>['result'];
};

/** The proof by an approved record, found at this moment. */
export function proofOf(
  { transaction_id = '', amount, currency, date, recurring_id, details }: BookRecord,
  now: Date,
): Proof {
  return {
    transaction_id,
    amount,
    currency,
    proof: 'record',
    date: new Date(date ?? now.getTime()).toISOString(),
    details,
    ...(recurring_id === undefined ? {} : { recurring_id }),
  };
}

/** Whether the proof is this attempt's own, and not only credited to it. */
export function isOwn({ proof, transaction_id }: Proof, attempt: Attempt | undefined): boolean {
  return attempt !== undefined && (proof === 'answer' || attempt.transaction_id === transaction_id);
}

/**
 * Whether a proof replaces a payment that is not proved: a person's payment by a proof of the same sum, an unsigned answer by a proof of
 * the same attempt.
 */
export function mayReplace(proof: Proof, attempt: Attempt | undefined, payment: OrderPayment): boolean {
  if (payment.proof === 'person')
    return proof.proof !== 'person' && (attempt !== undefined || isSameSum(proof, payment));
  return payment.unsigned === true && isProved(proof) && payment.attempt_id === attempt?.id;
}

/** The better proved of two versions of one payment. */
export function mostProved(known: OrderPayment, proved: OrderPayment): OrderPayment {
  const { unsigned, ...more } = proved;
  if (unsigned && isProved(known)) return { ...more, ...known };
  const { unsigned: _, ...before } = known;
  return { ...before, ...proved };
}

/** The payment of a proof, credited to this attempt. */
export function paymentOf(proof: Proof, attempt: Attempt | undefined): OrderPayment {
  const { card: _, result: __, details: ___, ...payment } = proof;
  return { ...payment, ...(attempt ? creditOf(attempt) : {}) };
}

/** The fields that a payment gets from the attempt that it is credited to. */
export function creditOf({ id, method }: Attempt): Pick<OrderPayment, 'attempt_id' | 'method'> {
  return { attempt_id: id, method };
}

/**
 * Marks a payment whose transaction paid another order before: the gateway charged both orders under one transaction_id. The order
 * stays paid, and its session needs a person, who must find out what the gateway charged.
 * @param other the order_no that the transaction paid before
 */
export function markAlsoPaid(decision: Decision, transactionId: string, other: string): Decision {
  const isShared = ({ transaction_id }: OrderPayment): boolean => transaction_id === transactionId;
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
export function isAlsoPaid(payments: readonly OrderPayment[], transactionId: string): boolean {
  return payments.some((one) => one.transaction_id === transactionId && one.also_paid !== undefined);
}
