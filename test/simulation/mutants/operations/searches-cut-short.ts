import * as right from '../../../../relay/reconciliation/refund-search.ts';

export * from '../../../../relay/reconciliation/refund-search.ts';

/** Less than a gateway needs that is slow. */
const TOO_SHORT_MS = 500;

/** Wrong: a search of a refund has half a second, so that no answer of a slow gateway counts. */
export const searchRefunds: typeof right.searchRefunds = (context, account, by) =>
  right.searchRefunds(context, account, by, TOO_SHORT_MS);

export const refundsBefore: typeof right.refundsBefore = (context, ...asked) => {
  const resolve = { ...context.config.resolve, search_ms: TOO_SHORT_MS };
  return right.refundsBefore({ ...context, config: { ...context.config, resolve } }, ...asked);
};
