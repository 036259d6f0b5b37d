import { type Attempt, isAbandoned, isApm, isUnsettled, isWatched, wasSent } from '../attempt.ts';
import { type HoldReason, isPaid, isRenewal, type StoredOrder } from '../order.ts';
import { type BookRecord, CLOCK_TOLERANCE_MS, isDecided, isSameSum, mayBeOf } from './records.ts';

const DAY_MS = 86_400_000;

/** What an approved record is for an order. */
export type Approval =
  | { kind: 'credit'; record: BookRecord; attempt?: Attempt }
  /** A later charge of the contract that the order's payment began. */
  | { kind: 'later_charge' }
  | { kind: 'paid_before' | 'amount_differs'; record: BookRecord };

/**
 * Rule 2. What an approved record is for its order. The first case that applies counts.
 * @param records the approved records of the order
 */
export function approvalOf(order: StoredOrder, record: BookRecord, records: readonly BookRecord[]): Approval {
  // A known payment.
  const known = order.payments.find(({ transaction_id }) => transaction_id === record.transaction_id);
  if (known) return isRenewal(known) ? { kind: 'later_charge' } : { kind: 'credit', record };
  const sent = order.attempts.filter(wasSent);
  const equal = sent.filter((attempt) => isSameSum(attempt, record));
  const before = equal.filter((attempt) => mayBeOf(record, attempt));
  // The transaction of an attempt. If only a record assigned it, an attempt without a transaction comes first.
  const own = sent.find(({ transaction_id, signed_id, other_id }) =>
    [transaction_id, signed_id, other_id].includes(record.transaction_id),
  );
  if (own) {
    const free = isAssignedByRecord(own, record.transaction_id) ? before.filter(lacksTransaction) : [];
    return { kind: 'credit', record, attempt: free.find(isUnsettled) ?? free.at(-1) ?? own };
  }
  // A later charge of the order's contract, or of a contract whose later charges pay this order.
  if (isLaterCharge(order, record) || isOfRenewal(order, record)) return { kind: 'later_charge' };
  // A payment from before the first attempt, or a later charge of a contract from before it.
  const [first] = sent;
  const isLongAgo = first && record.date !== undefined && record.date < Date.parse(first.started_at) - DAY_MS;
  if (isLongAgo || isOfEarlierContract(order, record, records)) return { kind: 'paid_before', record };
  // A payment of the sum of an attempt.
  const attempt = attemptOfSum(before, equal, record);
  if (attempt) return { kind: 'credit', record, attempt };
  // A payment of another sum.
  return isPaid(order) ? { kind: 'credit', record } : { kind: 'amount_differs', record };
}

/**
 * Rule 2. The attempt that a record of an unknown transaction is credited to: the oldest unsettled one, otherwise the latest one.
 * Attempts that are known to have another transaction come last.
 * @param before the attempts of the record's sum that were sent before its date
 * @param equal all attempts of the record's sum
 */
function attemptOfSum(
  before: readonly Attempt[],
  equal: readonly Attempt[],
  { transaction_id }: BookRecord,
): Attempt | undefined {
  const free = before.filter((attempt) => !hasOtherTransaction(attempt, transaction_id));
  const unsigned = before.filter((attempt) => signedTransaction(attempt) === undefined);
  return free.find(isUnsettled) ?? free.at(-1) ?? unsigned.at(-1) ?? before.at(-1) ?? equal.at(-1);
}

/** Whether only a record assigned this transaction to the attempt, which another transaction has paid since. */
function isAssignedByRecord({ named_by, other_id, signed_id }: Attempt, id: string | undefined): boolean {
  return named_by === 'record' && other_id === id && signed_id !== id;
}

/** True for an attempt without a known transaction that may have one: it is unpaid, or unsettled and answered. */
function lacksTransaction(attempt: Attempt): boolean {
  const { transaction_id, state } = attempt;
  if (transaction_id !== undefined || state.status === 'in_flight') return false;
  return isUnsettled(attempt) || state.status === 'not_paid';
}

/**
 * Whether the attempt is known to have another transaction: the gateway's signed answer named it, or the attempt was approved under
 * it. A declined record proves none: it may be one of several tries at an issuer's page.
 */
function hasOtherTransaction(attempt: Attempt, id: string | undefined): boolean {
  const { transaction_id, state } = attempt;
  const own = signedTransaction(attempt) ?? (state.status === 'approved' ? transaction_id : undefined);
  return own !== undefined && own !== id;
}

/** The transaction in the gateway's signed answer to an attempt. Attempts of earlier versions have it as their own. */
function signedTransaction({ signed_id, transaction_id, state }: Attempt): string | undefined {
  return signed_id ?? (state.status === 'declined' && state.proof === 'answer' ? transaction_id : undefined);
}

/**
 * The transaction of a declined, pending or unlisted record that may be an approved attempt's own: only a record proved the attempt's
 * payment, and the gateway may approve this transaction, too. Undefined if the record may belong to another attempt or be a later
 * charge, and for alternative methods, whose shopper may try several times at the issuer's page.
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

/** Rule 2. True for a record of a contract that a payment of the order began, dated a day or more after that payment. */
export function isLaterCharge({ payments }: StoredOrder, { recurring_id, date }: BookRecord): boolean {
  if (recurring_id === undefined || date === undefined) return false;
  return payments.some(
    (payment) =>
      payment.recurring_id === recurring_id &&
      !isRenewal(payment) &&
      date >= Date.parse(payment.date) + DAY_MS - CLOCK_TOLERANCE_MS,
  );
}

/** Whether the record is a later charge of a contract that another record of the query began, and that no payment of the order began. */
function isOfEarlierContract(
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
 * Whether the record belongs to a contract whose later charges pay this order: the contract of one of these charges, or any contract
 * if nothing was sent for the order. The order that began the contract settles the record.
 */
function isOfRenewal({ payments, attempts }: StoredOrder, { recurring_id }: BookRecord): boolean {
  if (recurring_id === undefined) return false;
  const own = payments.filter((payment) => payment.recurring_id === recurring_id);
  const others = attempts.some(wasSent) ? [] : payments;
  const known = own.length > 0 ? own : others;
  return known.length > 0 && known.every(isRenewal);
}

/** A record that holds an unpaid order, the reason, and the attempt of the record. */
export type Undecided = { record: BookRecord; reason: HoldReason; attempt?: Attempt };

/**
 * Rules 7 and 8. The records that hold an unpaid order: pending and unlisted ones, and approved ones that are not its payments. These
 * hold nothing: a pending record of an abandoned attempt, a record that a person decided, and a record of another amount from before
 * the first attempt.
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
 * The attempt of a record: the one with its transaction_id; otherwise, of the attempts of its amount without a transaction_id, the
 * oldest unsettled one, or the latest watched one; otherwise an attempt by an alternative method, whose shopper tried again at the
 * issuer's page. Abandoned attempts come last: their records hold nothing.
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

/** The reason for which the records hold the order: the first one that needs a person, otherwise `pending`. */
export function holdReason(undecided: readonly Undecided[]): HoldReason | undefined {
  const order: HoldReason[] = ['paid_before', 'amount_differs', 'codes_not_listed', 'pending'];
  return order.find((reason) => undecided.some((one) => one.reason === reason));
}

/** Rule 8. True for a reason that further queries will not change. */
export function needsPersonAtOnce(reason: HoldReason): boolean {
  return reason === 'paid_before' || reason === 'amount_differs';
}
