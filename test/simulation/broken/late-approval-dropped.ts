import * as right from '../../../relay/payments/answer.ts';
import { attemptOf } from '../../../relay/payments/order.ts';
import { undecidedYet } from '../../../relay/payments/transitions.ts';

export * from '../../../relay/payments/answer.ts';

/** Wrong: a signed approval that comes late is dropped. */
export const applyAnswer: typeof right.applyAnswer = (order, attemptId, outcome, now, rules) => {
  const isLate = attemptOf(order, attemptId).state.status !== 'in_flight';
  if (isLate && outcome.kind === 'approved') return undecidedYet(order);
  return right.applyAnswer(order, attemptId, outcome, now, rules);
};
