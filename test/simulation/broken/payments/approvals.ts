import { wasSent } from '../../../../relay/payments/attempt.ts';
import * as right from '../../../../relay/payments/settlement/approval.ts';
import { isSameSum } from '../../../../relay/payments/settlement/records.ts';

export * from '../../../../relay/payments/settlement/approval.ts';

/** Wrong: an approved record that names no attempt's transaction is credited to the oldest attempt of its sum. */
export const approvalOf: typeof right.approvalOf = (order, record) => {
  const approval = right.approvalOf(order, record);
  const [oldest] = order.attempts.filter((attempt) => wasSent(attempt) && isSameSum(attempt, record));
  if (approval.kind !== 'credit' || !approval.attempt || !oldest) return approval;
  return approval.attempt.transaction_id === record.transaction_id ? approval : { ...approval, attempt: oldest };
};
