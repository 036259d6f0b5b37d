import { isUnsettled, wasSent } from '../../../../relay/payments/attempt.ts';
import * as right from '../../../../relay/payments/settlement/match.ts';
import { isSameSum, mayBeOf } from '../../../../relay/payments/settlement/records.ts';

export * from '../../../../relay/payments/settlement/match.ts';

type Approve = typeof right.approvalOf;

/** Wrong: an approved record that names no attempt's transaction is credited to the oldest attempt of its sum. */
const toOldest: Approve = (order, record) => {
  const approval = right.approvalOf(order, record);
  const [oldest] = order.attempts.filter((attempt) => wasSent(attempt) && isSameSum(attempt, record));
  if (approval.kind !== 'credit' || !approval.attempt || !oldest) return approval;
  return approval.attempt.transaction_id === record.transaction_id ? approval : { ...approval, attempt: oldest };
};

/** Wrong: where nothing is unsettled it is credited to the latest attempt, though that has another transaction. */
const toLatest: Approve = (order, record) => {
  const approval = right.approvalOf(order, record);
  if (approval.kind !== 'credit' || !approval.attempt || isUnsettled(approval.attempt)) return approval;
  const latest = order.attempts.findLast(
    (attempt) => wasSent(attempt) && isSameSum(attempt, record) && mayBeOf(record, attempt),
  );
  const isOwn = approval.attempt.transaction_id === record.transaction_id;
  return isOwn || !latest ? approval : { ...approval, attempt: latest };
};

export const approvalOf: Approve = new URL(import.meta.url).search === '?latest' ? toLatest : toOldest;
