import * as right from '../../../../relay/payments/operations/answered-state.ts';
import type { Message } from '../../../../shared/gateway/signature.ts';

export * from '../../../../relay/payments/operations/answered-state.ts';

const kind = new URL(import.meta.url).search.slice(1);

/** Wrong: the results of a batch are assigned to its items by their order in the answer. */
export const readState: typeof right.readState = (...args) => {
  const state = right.readState(...args);
  if (kind === 'verdict') return state;
  const [{ message }] = args;
  if (state.status !== 'answered') return state;
  const isTurned = firstOf(message) !== firstOf(state.answer);
  return isTurned ? { ...state, items: state.items.toReversed() } : state;
};

/** Or wrong: after a person settled an operation the gateway's answer is ignored. */
export const afterLateAnswer: typeof right.afterLateAnswer = (current, ...rest) =>
  kind === 'verdict' && current.state.status === 'settled' ? undefined : right.afterLateAnswer(current, ...rest);

function firstOf(message: Message): string {
  const [first] = Object.values(message).find(Array.isArray) ?? [];
  return `${first?.transaction_id} ${first?.refund_amount}`;
}
