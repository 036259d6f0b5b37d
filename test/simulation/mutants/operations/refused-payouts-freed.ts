import * as right from '../../../../relay/payments/operations/operation.ts';

export * from '../../../../relay/payments/operations/operation.ts';

/** Wrong: a payout's request_id may be used again once the gateway refused it. */
export const heldRequestId: typeof right.heldRequestId = (operation) =>
  operation.state.status === 'refused' ? undefined : right.heldRequestId(operation);
