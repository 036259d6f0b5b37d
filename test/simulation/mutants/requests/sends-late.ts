import type * as right from '../../../../relay/reconciliation/send-window.ts';

export * from '../../../../relay/reconciliation/send-window.ts';

/** Wrong: a payment or operation is sent long after it was stored. */
export const isTooLateToSend: typeof right.isTooLateToSend = () => false;
