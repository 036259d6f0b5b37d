import type * as right from '../../../../relay/reconciliation/sending.ts';

export * from '../../../../relay/reconciliation/sending.ts';

/** Wrong: what was stored long ago is sent all the same. */
export const isTooLateToSend: typeof right.isTooLateToSend = () => false;
