import type * as right from '../../../../relay/payments/settlement/match.ts';

export * from '../../../../relay/payments/settlement/match.ts';

/** Wrong: an attempt that a record paid is not watched any more, even if another record may be its own. */
export const rivalOf: typeof right.rivalOf = () => undefined;
