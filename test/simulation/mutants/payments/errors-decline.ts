import * as right from '../../../../relay/gateway/outcome.ts';

export * from '../../../../relay/gateway/outcome.ts';

/** Wrong: an HTTP error counts as a refusal. */
export const readOutcome: typeof right.readOutcome = (called, ...rest) =>
  right.readOutcome(
    called.kind === 'unusable' && called.fault === 'http_status'
      ? { kind: 'refused', status: 500, evidence: called.evidence }
      : called,
    ...rest,
  );
