import { type Attempt, isAbandoned, isApm, isUnsettled, isWatched, wasSent } from '../attempt.ts';
import { type HoldReason, isPaid, isRenewal, type StoredOrder } from '../order.ts';
import { type BookRecord, CLOCK_TOLERANCE_MS, isDecided, isSameSum, mayBeOf } from './records.ts';

const DAY_MS = 86_400_000;

/** What an approved record is to an order. */
export type Approval =
  | { kind: 'credit'; record: BookRecord; attempt?: Attempt }
  /** A later charge of the contract that the order's payment began. */
  | { kind: 'later_charge' }
  | { kind: 'paid_before' | 'amount_differs'; record: BookRecord };

/**
 * What an approved record is to its order: a payment that is known; a payment, credited to the attempt with its
 * transaction_id, else, among the attempts of its amount that were sent before its date, to the oldest unsettled one, else
 * to the latest, and to one of another transaction only where there is no other; a later charge of the payment's contract; a
 * payment of long ago, or a later charge of the contract that a record began which pays nothing; or, while the order is unpaid, a
 * payment of another amount. What a record alone named for an attempt that another transaction paid is credited to an attempt that
 * has none, if there is one.
 * @param records the approved records of the order
 */
export function approvalOf(order: StoredOrder, record: BookRecord, records: readonly BookRecord[]): Approval {
  const known = order.payments.find(({ transaction_id }) => transaction_id === record.transaction_id);
  if (known) return isRenewal(known) ? { kind: 'later_charge' } : { kind: 'credit', record };
  const sent = order.attempts.filter(wasSent);
  const own = sent.find(({ transaction_id, signed_id, other_id }) =>
    [transaction_id, signed_id, other_id].includes(record.transaction_id),
  );
  const equal = sent.filter((attempt) => isSameSum(attempt, record));
  const before = equal.filter((attempt) => mayBeOf(record, attempt));
  if (own) {
    const free = isGuess(own, record.transaction_id) ? before.filter(mayHaveAny) : [];
    return { kind: 'credit', record, attempt: free.find(isUnsettled) ?? free.at(-1) ?? own };
  }
  if (isLaterCharge(order, record) || isOfRenewal(order, record)) return { kind: 'later_charge' };
  const [first] = sent;
  const isLongAgo = first && record.date !== undefined && record.date < Date.parse(first.started_at) - DAY_MS;
  if (isLongAgo || isOfContractBefore(order, record, records)) return { kind: 'paid_before', record };
  const free = before.filter((attempt) => !isOfOther(attempt, record.transaction_id));
  const unsigned = before.filter((attempt) => signedId(attempt) === undefined);
  const attempt = free.find(isUnsettled) ?? free.at(-1) ?? unsigned.at(-1) ?? before.at(-1) ?? equal.at(-1);
  if (attempt) return { kind: 'credit', record, attempt };
  return isPaid(order) ? { kind: 'credit', record } : { kind: 'amount_differs', record };
}

/** True where a record alone told that a transaction was this attempt's, which another transaction has paid since. */
function isGuess({ named_by, other_id, signed_id }: Attempt, id: string | undefined): boolean {
  return named_by === 'record' && other_id === id && signed_id !== id;
}

/** True for an attempt without a known transaction that may have one: it is not paid, or unsettled and answered. */
function mayHaveAny(attempt: Attempt): boolean {
  const { transaction_id, state } = attempt;
  if (transaction_id !== undefined || state.status === 'in_flight') return false;
  return isUnsettled(attempt) || state.status === 'not_paid';
}

/**
 * True for an attempt that is known to be of another transaction: the gateway's signed answer named that one, or the attempt was
 * approved under it. A decline that only a query told may be one of several tries at an issuer's page.
 */
function isOfOther(attempt: Attempt, id: string | undefined): boolean {
  const { transaction_id, state } = attempt;
  const own = signedId(attempt) ?? (state.status === 'approved' ? transaction_id : undefined);
  return own !== undefined && own !== id;
}

/** The transaction that the gateway's signed answer to an attempt named. Attempts of earlier versions have it as their own. */
function signedId({ signed_id, transaction_id, state }: Attempt): string | undefined {
  return signed_id ?? (state.status === 'declined' && state.proof === 'answer' ? transaction_id : undefined);
}

/**
 * The transaction of a declined, pending or unlisted record that may be an approved attempt's own: a record alone proved the attempt's
 * payment, and the gateway may approve this one, too. Undefined if the record may be of another attempt or of a later charge, and for
 * alternative methods, whose shopper may try several times at the issuer's page.
 */
export function rivalOf(order: StoredOrder, attempt: Attempt, records: readonly BookRecord[]): string | undefined {
  const { state, transaction_id, signed_id, other_id, started_at } = attempt;
  if (state.status !== 'approved' || isApm(attempt) || signed_id !== undefined || other_id !== undefined)
    return undefined;
  const payment = order.payments.find((one) => one.transaction_id === transaction_id);
  if (payment?.proof !== 'record') return undefined;
  const others = order.attempts.filter((one) => one.id !== attempt.id && wasSent(one));
  const isOfAnother = (record: BookRecord): boolean =>
    isKnown(record, order) ||
    others.some((one) => [one.transaction_id, one.signed_id, one.other_id].includes(record.transaction_id)) ||
    others.some((one) => one.transaction_id === undefined && isSameSum(one, record) && mayBeOf(record, one));
  const until = Date.parse(started_at) + DAY_MS - CLOCK_TOLERANCE_MS;
  return records.find(
    (record) =>
      record.meaning !== 'approved' &&
      record.transaction_id !== undefined &&
      record.date !== undefined &&
      record.date < until &&
      isSameSum(attempt, record) &&
      mayBeOf(record, attempt) &&
      !isLaterCharge(order, record) &&
      !isOfAnother(record),
  )?.transaction_id;
}

/** True for a record of a transaction that paid the order. */
export function isKnown({ transaction_id }: BookRecord, { payments }: StoredOrder): boolean {
  return payments.some((payment) => payment.transaction_id === transaction_id);
}

/** True for a record of a contract that a payment of the order began, dated a day or more after that. */
export function isLaterCharge({ payments }: StoredOrder, { recurring_id, date }: BookRecord): boolean {
  if (recurring_id === undefined || date === undefined) return false;
  return payments.some(
    (payment) =>
      payment.recurring_id === recurring_id &&
      !isRenewal(payment) &&
      date >= Date.parse(payment.date) + DAY_MS - CLOCK_TOLERANCE_MS,
  );
}

/**
 * True for a later charge of the contract that another of the records began, which is no payment of the order: it is of long ago, of
 * another amount, or a person has decided about it.
 */
function isOfContractBefore(
  order: StoredOrder,
  { recurring_id, date }: BookRecord,
  records: readonly BookRecord[],
): boolean {
  if (recurring_id === undefined || date === undefined) return false;
  return records.some(
    (one) =>
      one.recurring_id === recurring_id &&
      one.date !== undefined &&
      date >= one.date + DAY_MS - CLOCK_TOLERANCE_MS &&
      !isKnown(one, order),
  );
}

/**
 * True for a record of a contract in an order that later charges pay. It is a record of the contract of one of these charges, or of any
 * contract if nothing was sent for the order. The order that began the contract settles it.
 */
function isOfRenewal({ payments, attempts }: StoredOrder, { recurring_id }: BookRecord): boolean {
  if (recurring_id === undefined) return false;
  const own = payments.filter((payment) => payment.recurring_id === recurring_id);
  const others = attempts.some(wasSent) ? [] : payments;
  const known = own.length > 0 ? own : others;
  return known.length > 0 && known.every(isRenewal);
}

/** A record that keeps an unpaid order from being paid again, why, and the attempt that it is of. */
export type Undecided = { record: BookRecord; reason: HoldReason; attempt?: Attempt };

/**
 * The records that hold an order that is not paid: pending and unlisted ones, and approved ones that are no payment of it.
 * A pending record of an abandoned attempt holds nothing, nor does a record that a person has decided about, nor one of
 * another amount from before the first attempt.
 */
export function undecidedOf(
  order: StoredOrder,
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
function ownerOf({ attempts }: StoredOrder, equal: readonly Attempt[], record: BookRecord): Attempt | undefined {
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
