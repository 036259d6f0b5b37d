import { type Attempt, isAbandoned, isApm, isUnsettled, isWatched, wasSent } from '../attempt.ts';
import type { HoldReason, Order } from '../order.ts';
import type { Approval } from './approval.ts';
import { type BookRecord, isDecided, isSameSum, mayBeOf } from './records.ts';

/** A record that keeps an unpaid order from being paid again, why, and the attempt that it is of. */
export type Undecided = { record: BookRecord; reason: HoldReason; attempt?: Attempt };

/**
 * The records that hold an order that is not paid: pending and unlisted ones, and approved ones that are no payment of it.
 * A pending record of an abandoned attempt holds nothing, nor does a record that a person has decided about, nor one of
 * another amount from before the first attempt.
 */
export function undecidedOf(
  order: Order,
  records: readonly BookRecord[],
  approvals: readonly Extract<Approval, { kind: 'paid_before' | 'amount_differs' }>[],
): Undecided[] {
  const open = records.filter(
    (record) => (record.meaning === 'pending' || record.meaning === 'unlisted') && !isDecided(record, order),
  );
  return [
    ...approvals.map(({ kind, record }): Undecided => ({ record, reason: kind })),
    ...open.flatMap((record): Undecided[] => {
      const equal = order.attempts.filter((one) => wasSent(one) && isSameSum(one, record));
      const attempt = ownerOf(order, equal, record);
      const isOfSum = attempt !== undefined || equal.length > 0;
      const [first] = order.attempts.filter(wasSent);
      if (!isOfSum && first && !mayBeOf(record, first)) return [];
      const reason = record.meaning === 'pending' ? 'pending' : 'codes_not_listed';
      return [{ record, reason: isOfSum ? reason : 'amount_differs', ...(attempt ? { attempt } : {}) }];
    }),
  ].filter(({ reason, attempt }) => !(reason === 'pending' && attempt && isAbandoned(attempt)));
}

/**
 * The attempt that a record is of: by transaction_id, else of those of its amount that have none the oldest unsettled one,
 * or the latest that is watched; else the shopper's next try at the issuer's page of an alternative payment. An abandoned
 * one comes last: its record would hold nothing.
 */
function ownerOf({ attempts }: Order, equal: readonly Attempt[], record: BookRecord): Attempt | undefined {
  const own = attempts.find(
    (one) => wasSent(one) && one.transaction_id !== undefined && one.transaction_id === record.transaction_id,
  );
  if (own) return own;
  const free = equal.filter((one) => one.transaction_id === undefined && mayBeOf(record, one));
  return (
    free.find(isUnsettled) ??
    free.findLast((one) => isWatched(one) && !isAbandoned(one)) ??
    equal.findLast((one) => isOpenAtIssuer(one) && mayBeOf(record, one)) ??
    free.findLast(isAbandoned) ??
    equal.findLast((one) => isAbandoned(one) && mayBeOf(record, one))
  );
}

function isOpenAtIssuer(attempt: Attempt): boolean {
  return isApm(attempt) && (isUnsettled(attempt) || isWatched(attempt)) && !isAbandoned(attempt);
}

/** Why the records hold the order: the first reason that needs a person, else that one is pending. */
export function holdReason(undecided: readonly Undecided[]): HoldReason | undefined {
  const order: HoldReason[] = ['paid_before', 'amount_differs', 'codes_not_listed', 'pending'];
  return order.find((reason) => undecided.some((one) => one.reason === reason));
}

/** True for reasons that no further query can be expected to clear up. */
export function needsPersonAtOnce(reason: HoldReason): boolean {
  return reason === 'paid_before' || reason === 'amount_differs';
}
