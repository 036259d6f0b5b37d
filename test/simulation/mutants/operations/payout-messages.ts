import * as right from '../../../../relay/payments/operations/payout-message.ts';

export * from '../../../../relay/payments/operations/payout-message.ts';

const how = new URL(import.meta.url).search;

/**
 * Wrong: the last message to arrive decides. `?back`: the last one with a time. `?untimed`: of the ends without a time, the first to
 * arrive. `?later`: the status with the latest time, even if it is not an end.
 */
export const afterPayoutMessage: typeof right.afterPayoutMessage = (current, received, ...rest) => {
  if (how === '?untimed') {
    const after = right.afterPayoutMessage(current, received, ...rest);
    return after?.disputed === undefined ? after : undefined;
  }
  if (how === '?back' && received.last_updated_at === undefined)
    return right.afterPayoutMessage(current, received, ...rest);
  if (how === '?later') {
    const [, codes] = rest;
    const answer = 'answer' in current ? current.answer : undefined;
    const isLater = Date.parse(String(received.last_updated_at)) > Date.parse(String(answer?.last_updated_at));
    if (current.status !== 'answered' || !isLater) return right.afterPayoutMessage(current, received, ...rest);
    return { ...current, answer: { ...answer, ...received }, items: [right.payoutOutcome(received, codes)] };
  }
  const { last_updated_at: _, ...known } = 'answer' in current ? (current.answer ?? {}) : {};
  const open = current.status === 'answered' ? { ...current, answer: { ...known, status: '' } } : current;
  return right.afterPayoutMessage(open, received, ...rest);
};
