import type { PaymentDetails } from '../../gateway/outcome.ts';
import type { Attempt } from '../attempt.ts';
import { isProved, type OrderPayment } from '../order.ts';
import type { SessionState } from '../session.ts';
import { type Decision, withOrder, withSession } from '../transitions.ts';
import { type BookRecord, isSameSum } from './records.ts';

/** What a payment is proved by, and what else is known of it. */
export type Proof = Pick<
  OrderPayment,
  'transaction_id' | 'amount' | 'currency' | 'proof' | 'unsigned' | 'date' | 'recurring_id'
> & {
  card?: string;
  details?: PaymentDetails;
  result?: Extract<SessionState, { status: 'approved' }>['result'];
};

/** The proof that an approved record is, found at this moment. */
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

/** True where the proof is this attempt's own, and not only credited to it. */
export function isOwn({ proof, transaction_id }: Proof, attempt: Attempt | undefined): boolean {
  return attempt !== undefined && (proof === 'answer' || attempt.transaction_id === transaction_id);
}

/**
 * True for a payment that nothing proved yet, where this is the proof: of what a person told, an answer, or a record of the sum
 * of an attempt or of the person's; of an unsigned answer, what is proved of the same attempt.
 */
export function mayReplace(proof: Proof, attempt: Attempt | undefined, payment: OrderPayment): boolean {
  if (payment.proof === 'person')
    return proof.proof !== 'person' && (attempt !== undefined || isSameSum(proof, payment));
  return payment.unsigned === true && isProved(proof) && payment.attempt_id === attempt?.id;
}

/** What is known of a payment, and told once more: an unsigned answer takes no proof away. */
export function mostProved(known: OrderPayment, told: OrderPayment): OrderPayment {
  const { unsigned, ...more } = told;
  if (unsigned && isProved(known)) return { ...more, ...known };
  const { unsigned: _, ...before } = known;
  return { ...before, ...told };
}

/** The payment that it proves, credited to this attempt. */
export function paymentOf(proof: Proof, attempt: Attempt | undefined): OrderPayment {
  const { card: _, result: __, details: ___, ...payment } = proof;
  return { ...payment, ...(attempt ? creditOf(attempt) : {}) };
}

/** What a payment has of the attempt that it is credited to. */
export function creditOf({ id, method }: Attempt): Pick<OrderPayment, 'attempt_id' | 'method'> {
  return { attempt_id: id, method };
}

/**
 * The decision with a payment marked whose transaction paid another order before: the gateway charged both under one
 * transaction_id, and a person must find out what it did. The order stays paid, and its session says so.
 * @param other the order_no that it paid before
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
