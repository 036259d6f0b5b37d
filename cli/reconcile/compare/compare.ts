import type { PaymentStatus } from '../../../shared/api/order-payment.ts';
import { isZero } from '../../../shared/gateway/amounts.ts';
import { compareRefunds, isYoung, sameMoney } from './compare-refunds.ts';
import {
  type Difference,
  type Finding,
  type GatewayOrder,
  type GatewayPayment,
  isOfRefund,
  type Money,
  type RelayOrder,
  type RelayPayment,
  type Side,
} from './records.ts';

const DAY_MS = 86_400_000;

/** The maximum difference of a clock from UTC, because the time zone of the gateway's dates is not known. */
const MAX_OFFSET_MS = 14 * 3_600_000;

/**
 * The differences in one order. `here` is undefined if the relay has no such order. A recent or undecided payment is
 * `unknown`, once for an order at most. Payments that the gateway declined are no differences if the relay has none.
 * @param there was read before `here`, so that every change in between is recent in `here`
 */
export function compareOrder(
  orderNo: string,
  here: RelayOrder | undefined,
  there: GatewayOrder,
  now: Date,
): readonly Finding[] {
  const payments = byTransaction(there.payments);
  if (!here) return [...payments.values()].filter(mayBePaid).map((one) => missingAtRelay(orderNo, one, false));
  const found = here.payments.length > 0 ? comparePaidOrder(here, payments) : compareUnpaidOrder(here, payments);
  const refunds = compareRefunds(here, there.refunds, new Set(payments.keys()), now);
  return withOneUnknown(here, [...found, ...refunds], now);
}

/** Compares an order with payments at the relay. */
function comparePaidOrder(here: RelayOrder, there: ReadonlyMap<string, GatewayPayment>): Finding[] {
  const own = here.payments.flatMap((payment): Finding[] => {
    const record = there.get(payment.transaction_id);
    return record ? comparePayment(here, payment, record) : [missingAtGateway(here, payment)];
  });
  const known = new Set(here.payments.map(({ transaction_id }) => transaction_id));
  const isAnyThere = here.payments.some(({ transaction_id }) => there.has(transaction_id));
  const others = unexpected(here, there).filter(({ transaction_id }) => !known.has(transaction_id));
  const charges = [...there.values()].filter(
    (one) => one.meaning === 'approved' && !known.has(one.transaction_id) && isLaterCharge(here, one, there),
  );
  return [
    ...own,
    ...others.map((record) => (isAnyThere ? second(here, record) : missingAtRelay(here.order_no, record, true))),
    ...charges.map((record) => missingAtRelay(here.order_no, record, true)),
  ];
}

/** The kinds of differences in the status of a payment. */
type StatusKind = 'status' | 'held' | 'charged_back' | 'cancelled' | 'refunded';

/** Compares one payment that both sides have. */
function comparePayment(here: RelayOrder, payment: RelayPayment, record: GatewayPayment): Finding[] {
  if (payment.currency !== record.currency) return [differs('currency', here, payment.status, payment, record)];
  if (!sameMoney(payment, record)) return [differs('amount', here, payment.status, payment, record)];
  const kind = kindOf(here, payment, record);
  if (kind === 'undecided') return [{ class: 'unknown', order_no: here.order_no, reason: 'undecided_there' }];
  return kind ? [differs(kind, here, payment.status, payment, record)] : [];
}

/** The statuses of payments without a remaining amount. */
const nothingLeft: readonly PaymentStatus[] = ['cancelled', 'rejected', 'reversed', 'refunded'];

/** The kind of difference between the gateway's record and the relay's status, if they differ. */
function kindOf(here: RelayOrder, payment: RelayPayment, record: GatewayPayment): StatusKind | 'undecided' | undefined {
  const { status, refunded, isSettled, currency } = payment;
  const isGone = nothingLeft.includes(status);
  const isExplained = isGone || here.reversed.has(record.transaction_id);
  switch (record.meaning) {
    case 'approved':
      // A person may have decided with more knowledge than the record.
      return status === 'reversed' && !isSettled ? 'status' : undefined;
    case 'declined':
      return isExplained ? undefined : 'status';
    case 'charged_back':
    case 'cancelled':
      return isExplained ? undefined : record.meaning;
    case 'held':
      return isExplained || status === 'held' ? undefined : 'held';
    case 'refunded':
      return isGone || sameMoney(payment, { amount: refunded, currency }) ? undefined : 'refunded';
    case 'partially_refunded':
      return isGone || status === 'partially_refunded' || !isZero(refunded) ? undefined : 'refunded';
    case 'pending':
    case 'unlisted':
      return 'undecided';
  }
}

/** Compares an order without a payment at the relay. */
function compareUnpaidOrder(here: RelayOrder, there: ReadonlyMap<string, GatewayPayment>): Finding[] {
  const { order_no, asked, status } = here;
  const [first, ...others] = unexpected(here, there);
  if (first) {
    const alike = asked.find((one) => sameMoney(one, first));
    const inCurrency = asked.find(({ currency }) => currency === first.currency);
    const kind = alike ? 'status' : inCurrency ? 'amount' : 'currency';
    return [
      differs(kind, here, status, alike ?? inCurrency ?? asked[0], first),
      ...others.map((one) => second(here, one)),
    ];
  }
  const isUndecidedThere = [...there.values()].some((one) => isUndecided(one) && !isEarlier(here, one));
  if (isUndecidedThere) return [{ class: 'unknown', order_no, reason: 'undecided_there' }];
  return status === 'pending' || status === 'unknown' ? [{ class: 'unknown', order_no, reason: 'undecided_here' }] : [];
}

/**
 * The gateway's approved payments that should pay this order: not later charges of its contract, and not payments of an
 * earlier order with the same number.
 */
function unexpected(here: RelayOrder, there: ReadonlyMap<string, GatewayPayment>): GatewayPayment[] {
  return [...there.values()].filter(
    (one) => isApproved(one) && !isLaterCharge(here, one, there) && !isEarlier(here, one),
  );
}

/** Whether this is a later charge of the order's contract: a day or more after its payment, by the gateway's dates. */
function isLaterCharge(here: RelayOrder, charge: GatewayPayment, there: ReadonlyMap<string, GatewayPayment>): boolean {
  const { contract, date } = charge;
  if (contract === undefined || date === undefined) return false;
  return here.payments.some(({ transaction_id }) => {
    const paid = there.get(transaction_id);
    if (!paid || !(here.contracts.has(contract) || paid.contract === contract)) return false;
    return paid.date !== undefined && date - paid.date >= DAY_MS;
  });
}

/**
 * Whether this is a payment of an earlier order with the same number: a day or more before the first message for this
 * order.
 */
function isEarlier({ firstSentAt }: RelayOrder, { date }: GatewayPayment): boolean {
  return firstSentAt !== undefined && date !== undefined && date < Date.parse(firstSentAt) - DAY_MS - MAX_OFFSET_MS;
}

/** Recent payments may be missing on one side. One finding is enough for several unknown payments. */
function withOneUnknown(here: RelayOrder, found: readonly Finding[], now: Date): readonly Finding[] {
  const reported: Finding[] = found.map((one) =>
    !isOfRefund(one) && isYoung(here.lastSentAt, now)
      ? { class: 'unknown', order_no: here.order_no, reason: 'in_flight' }
      : one,
  );
  const unknown = reported.find((one) => one.class === 'unknown');
  return [...reported.filter((one) => one.class !== 'unknown'), ...(unknown ? [unknown] : [])];
}

/** If the gateway lists a transaction twice, the record that proves a payment counts. */
function byTransaction(payments: readonly GatewayPayment[]): Map<string, GatewayPayment> {
  const records = new Map<string, GatewayPayment>();
  for (const one of payments) {
    if (records.get(one.transaction_id)?.meaning !== 'approved') records.set(one.transaction_id, one);
  }
  return records;
}

/** A payment that is held was approved. */
function isApproved({ meaning }: GatewayPayment): boolean {
  return meaning === 'approved' || meaning === 'held';
}

function isUndecided({ meaning }: GatewayPayment): boolean {
  return meaning === 'pending' || meaning === 'unlisted';
}

function mayBePaid({ meaning }: GatewayPayment): boolean {
  return meaning !== 'declined';
}

function gatewaySide({ amount, currency, meaning, code }: GatewayPayment): Side {
  return { status: meaning === 'unlisted' ? `unlisted (${code})` : meaning, amount, currency };
}

function missingAtRelay(order_no: string, record: GatewayPayment, known: boolean): Difference {
  const { transaction_id, contract } = record;
  const charged = known || contract === undefined ? {} : { recurring_id: contract };
  return { class: 'missing_here', order_no, transaction_id, known, ...charged, there: gatewaySide(record) };
}

function missingAtGateway(
  { order_no }: RelayOrder,
  { transaction_id, amount, currency, status }: RelayPayment,
): Difference {
  return { class: 'missing_there', order_no, transaction_id, here: { status, amount, currency } };
}

function second({ order_no }: RelayOrder, record: GatewayPayment): Difference {
  const { transaction_id } = record;
  return { class: 'second_payment', order_no, transaction_id, there: gatewaySide(record) };
}

function differs(
  kind: 'amount' | 'currency' | StatusKind,
  { order_no }: RelayOrder,
  status: RelayOrder['status'],
  { amount, currency }: Money,
  record: GatewayPayment,
): Difference {
  const { transaction_id } = record;
  return { class: kind, order_no, transaction_id, here: { status, amount, currency }, there: gatewaySide(record) };
}
