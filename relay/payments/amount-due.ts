import type { Attempt } from './attempt.ts';
import { orderDigest, type Session, type Terms } from './session.ts';

type AmountDue = { amount: string; currency: string; revision: number };

/**
 * The amount to pay for a session: the amount of the attempt that its state names, otherwise the order's. A revision
 * belongs to one session, so an attempt of another session decides only the amount.
 */
export function amountDue(session: Session, attempts: readonly Attempt[]): AmountDue {
  const { terms, revision } = session;
  const deciding = decidingAttempt(session, attempts);
  const { amount, currency } = deciding ?? terms.order;
  const sent = deciding?.session_id === session.id ? deciding.revision : undefined;
  return { amount, currency, revision: sent ?? revision };
}

/** Whether a session's order differs from the order that was sent with the attempt that its state names. */
export function isOrderChanged(session: Session, attempts: readonly Attempt[]): boolean {
  const { terms, revision } = session;
  const sent = amountDue(session, attempts);
  const isOtherSum = sent.amount !== terms.order.amount || sent.currency !== terms.order.currency;
  return isOtherSum || (sent.revision !== revision && isOther(sent.revision, terms));
}

/** The attempt that a session's state names. */
export function decidingAttempt({ state }: Session, attempts: readonly Attempt[]): Attempt | undefined {
  return 'attempt_id' in state ? attempts.find(({ id }) => id === state.attempt_id) : undefined;
}

/** Whether a session's order differs from the one at an earlier revision. */
function isOther(revision: number, { order, sent_orders }: Terms): boolean {
  return sent_orders?.[revision] !== orderDigest(order);
}
