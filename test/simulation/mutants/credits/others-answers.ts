import * as right from '../../../../relay/gateway/outcome.ts';

export * from '../../../../relay/gateway/outcome.ts';

/** Wrong: an answer about another order counts. */
export const readOutcome: typeof right.readOutcome = (called, expected, ...rest) => {
  const order_no = called.kind === 'answer' ? String(called.message.order_no) : expected.order_no;
  return right.readOutcome(called, { ...expected, order_no }, ...rest);
};
