import * as right from '../../../../relay/gateway/outcome.ts';

export * from '../../../../relay/gateway/outcome.ts';

/** Wrong: a signed answer that does not tell the outcome names no transaction. */
export const readOutcome: typeof right.readOutcome = (...args) => {
  const outcome = right.readOutcome(...args);
  if (outcome.kind !== 'unknown') return outcome;
  const { signed_id: _, ...rest } = outcome;
  return rest;
};
