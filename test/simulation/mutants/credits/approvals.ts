import { isUnsettled, wasSent } from '../../../../relay/payments/attempt.ts';
import * as right from '../../../../relay/payments/settlement/match.ts';
import { isSameSum, mayBeOf } from '../../../../relay/payments/settlement/records.ts';

export * from '../../../../relay/payments/settlement/match.ts';

type Approve = typeof right.approvalOf;

/** Wrong: an approved record without an attempt's transaction is credited to the oldest attempt of its amount. */
const toOldest: Approve = (order, record, records) => {
  const approval = right.approvalOf(order, record, records);
  const [oldest] = order.attempts.filter((attempt) => wasSent(attempt) && isSameSum(attempt, record));
  if (approval.kind !== 'credit' || !approval.attempt || !oldest) return approval;
  return approval.attempt.transaction_id === record.transaction_id ? approval : { ...approval, attempt: oldest };
};

/** Wrong: without an unsettled attempt it is credited to the latest one, although that has another transaction. */
const toLatest: Approve = (order, record, records) => {
  const approval = right.approvalOf(order, record, records);
  if (approval.kind !== 'credit' || !approval.attempt || isUnsettled(approval.attempt)) return approval;
  const latest = order.attempts.findLast(
    (attempt) => wasSent(attempt) && isSameSum(attempt, record) && mayBeOf(record, attempt),
  );
  const isOwn = approval.attempt.transaction_id === record.transaction_id;
  return isOwn || !latest ? approval : { ...approval, attempt: latest };
};

/** Wrong: a later charge of a contract that pays nothing counts as a payment, whatever else the records show. */
const alone: Approve = (order, record) => right.approvalOf(order, record, [record]);

const wrong: Readonly<Record<string, Approve>> = { '?oldest': toOldest, '?latest': toLatest, '?alone': alone };

/** One of these, by the query of this file's address. */
export const approvalOf: Approve = wrong[new URL(import.meta.url).search] ?? right.approvalOf;
