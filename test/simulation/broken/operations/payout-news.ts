import * as right from '../../../../relay/payments/operations/payout-news.ts';

export * from '../../../../relay/payments/operations/payout-news.ts';

/** Wrong: what comes last is taken for the last word. */
export const afterPayoutMessage: typeof right.afterPayoutMessage = (current, received, ...rest) => {
  const { last_updated_at: _, ...known } = 'answer' in current ? (current.answer ?? {}) : {};
  const open = current.status === 'answered' ? { ...current, answer: { ...known, status: '' } } : current;
  return right.afterPayoutMessage(open, received, ...rest);
};
