import type { PaymentDetails } from '../../gateway/outcome.ts';
import type { Attempt } from '../attempt.ts';
import { alarmOf } from '../ledger/standing.ts';
import type { OrderPayment } from '../order.ts';
import type { Session } from '../session.ts';
import { type Cause, type Decision, moveSession, withAttempt, withSession } from '../transitions.ts';
import { isAlsoPaid, type Proof } from './proof.ts';

/** Approves the attempt and its session. Another transaction of the attempt is kept: the gateway may charge it, too. */
export function approveAttempt(before: Decision, proof: Proof, attempt: Attempt | undefined, now: Date): Decision {
  if (!attempt) return before;
  const { transaction_id, result, recurring_id } = proof;
  const isFirst = attempt.state.status !== 'approved';
  const other = [attempt.signed_id, attempt.transaction_id].find((id) => id !== undefined && id !== transaction_id);
  const approved: Attempt = {
    ...attempt,
    ...(isFirst || proof.proof === 'answer' ? { transaction_id } : {}),
    ...(isFirst && other !== undefined ? { other_id: other } : {}),
    settled_at: attempt.state.status === 'approved' ? (attempt.settled_at ?? now.toISOString()) : now.toISOString(),
    state: {
      status: 'approved',
      ...(result ? { result } : {}),
      ...(recurring_id === undefined ? {} : { recurring_id }),
    },
  };
  const decision = isFirst || proof.proof === 'answer' ? withAttempt(before, approved) : before;
  return approveSession(decision, approved, proof, now);
}

function approveSession(decision: Decision, attempt: Attempt, proof: Proof, now: Date): Decision {
  const session = decision.order.sessions.find(({ id }) => id === attempt.session_id);
  if (!session) return decision;
  const { transaction_id, result, recurring_id } = proof;
  const details = detailsOf(session, transaction_id, proof);
  const card = proof.card ?? attempt.card;
  const withdrawnBy = 'withdrawn_by' in session.state ? session.state.withdrawn_by : undefined;
  const state = {
    status: 'approved',
    attempt_id: attempt.id,
    transaction_id,
    ...(card ? { card } : {}),
    ...(result ? { result } : {}),
    ...(recurring_id === undefined ? {} : { recurring_id }),
    ...details,
    ...(withdrawnBy === undefined ? {} : { withdrawn_by: withdrawnBy }),
    ...(needsPerson(decision.order.payments, transaction_id) ? { needs_attention: true as const } : {}),
  } as const;
  if (session.state.status === 'approved') {
    // The answer has more details than the record that proved the payment before.
    const isSame = session.state.attempt_id === attempt.id && session.state.transaction_id === transaction_id;
    return isSame && proof.proof === 'answer' ? withSession(decision, { ...session, state }) : decision;
  }
  return moveSession(decision, session.id, state, approvedBy[proof.proof], wasOver(session, now) ? { late: true } : {});
}

/** Whether a person must look at a payment, by the payments known before. */
function needsPerson(payments: readonly OrderPayment[], transactionId: string): boolean {
  const payment = payments.find(({ transaction_id }) => transaction_id === transactionId);
  return isAlsoPaid(payments, transactionId) || (payment !== undefined && alarmOf(payment) !== undefined);
}

/** The details of a payment: those of its answer, and those of its records that the answer lacks. */
export function detailsOf(
  { state }: Session,
  transactionId: string,
  { proof, details }: Pick<Proof, 'proof' | 'details'>,
): { details?: PaymentDetails } {
  const isSame = state.status === 'approved' && state.transaction_id === transactionId;
  const known = isSame ? state.details : undefined;
  const all = proof === 'answer' ? { ...known, ...details } : { ...details, ...known };
  return Object.keys(all).length > 0 ? { details: all } : {};
}

export const approvedBy: Record<Proof['proof'], Cause> = {
  answer: 'answer_approved',
  record: 'record_approved',
  person: 'person_approved',
};

/** True for a session that is over. The shop may have informed the shopper. */
function wasOver({ state, expires_at }: Session, now: Date): boolean {
  if (state.status === 'open') return Date.parse(expires_at) <= now.getTime();
  return state.status === 'failed' || state.status === 'expired';
}
