import * as right from '../../../../relay/gateway/outcome.ts';

export * from '../../../../relay/gateway/outcome.ts';

/** Wrong: the transaction in a signed answer without an outcome is ignored. */
export const readOutcome: typeof right.readOutcome = (...args) => {
  const outcome = right.readOutcome(...args);
  if (outcome.kind !== 'unknown') return outcome;
  const { signed_id: _, ...rest } = outcome;
  return rest;
};
