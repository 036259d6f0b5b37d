import * as right from '../../../../relay/payments/settlement/credit.ts';
import { withAttempt } from '../../../../relay/payments/transitions.ts';

export * from '../../../../relay/payments/settlement/credit.ts';

/** Wrong: an attempt whose credit moves to another attempt is absent, even if its own answer approved it. */
export const creditPayment: typeof right.creditPayment = (before, proof, attempt, now) => {
  const decision = right.creditPayment(before, proof, attempt, now);
  const wasApproved = (id: string): boolean =>
    before.order.attempts.some((one) => one.id === id && one.state.status === 'approved');
  return decision.order.attempts
    .filter(({ id, state }) => state.status === 'unknown' && wasApproved(id))
    .map((one) => ({ ...one, state: { status: 'not_paid', reason: 'absent' } as const }))
    .reduce(withAttempt, decision);
};
