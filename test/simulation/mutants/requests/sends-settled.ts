import type * as right from '../../../../relay/reconciliation/send-window.ts';

export * from '../../../../relay/reconciliation/send-window.ts';

/** Wrong: a payment whose order was read and settled before its relay heard that it is stored is sent all the same. */
export const isConfirmedLate: typeof right.isConfirmedLate = () => false;
