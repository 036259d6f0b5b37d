import type { Outcome } from '../../../../relay/gateway/outcome.ts';
import * as right from '../../../../relay/payments/answer.ts';
import { attemptOf } from '../../../../relay/payments/order.ts';
import { startDecision } from '../../../../relay/payments/transitions.ts';

export * from '../../../../relay/payments/answer.ts';

const kind = new URL(import.meta.url).search.slice(1);

/** Wrong: a signed approval that comes late is dropped (`late`), or an unsigned decline is taken for a signed one (`unsigned`). */
export const applyAnswer: typeof right.applyAnswer = (order, attemptId, outcome, now, rules) => {
  const isLate = attemptOf(order, attemptId).state.status !== 'in_flight';
  if (kind === 'late' && isLate && outcome.kind === 'approved') return startDecision(order);
  return right.applyAnswer(order, attemptId, kind === 'unsigned' ? asSigned(outcome) : outcome, now, rules);
};

function asSigned(outcome: Outcome): Outcome {
  if (outcome.kind !== 'declined') return outcome;
  const { unsigned: _, ...signed } = outcome;
  return signed;
}
