import * as right from '../../../../relay/payments/operations/outcome.ts';
import type { Message } from '../../../../shared/gateway/signature.ts';

export * from '../../../../relay/payments/operations/outcome.ts';

/** Wrong: the results of a batch are taken in the order in which they come. */
export const readState: typeof right.readState = (...args) => {
  const state = right.readState(...args);
  const [{ message }] = args;
  if (state.status !== 'answered') return state;
  const isTurned = firstOf(message) !== firstOf(state.answer);
  return isTurned ? { ...state, items: state.items.toReversed() } : state;
};

function firstOf(message: Message): string {
  const [first] = Object.values(message).find(Array.isArray) ?? [];
  return `${first?.transaction_id} ${first?.refund_amount}`;
}
