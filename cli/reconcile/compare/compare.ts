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

/** The maximum that a clock on Earth is ahead of UTC or behind it: the zone of the gateway's dates is not asked. */
const MAX_OFFSET_MS = 14 * 3_600_000;

/**
 * In what the books differ about one order. `here` is undefined if the relay has no such order. What is young or undecided is
 * `unknown`, once an order at most; payments that the gateway declined are no differences if the relay has none.
 * @param there is from before `here` was read, so that whatever lies between the two is young here
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

/** An order that the relay has payments of. */
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

/** In what the status of a payment differs. */
type StatusKind = 'status' | 'held' | 'charged_back' | 'cancelled' | 'refunded';

/** One payment in both books. */
function comparePayment(here: RelayOrder, payment: RelayPayment, record: GatewayPayment): Finding[] {
  if (payment.currency !== record.currency) return [differs('currency', here, payment.status, payment, record)];
  if (!sameMoney(payment, record)) return [differs('amount', here, payment.status, payment, record)];
  const kind = kindOf(here, payment, record);
  if (kind === 'undecided') return [{ class: 'unknown', order_no: here.order_no, reason: 'undecided_there' }];
  return kind ? [differs(kind, here, payment.status, payment, record)] : [];
}

/** The statuses of payments without a remaining amount. */
const nothingLeft: readonly PaymentStatus[] = ['cancelled', 'rejected', 'reversed', 'refunded'];

/** In what the status of a payment differs, if it does: what the gateway's record says and the relay's status does not. */
function kindOf(here: RelayOrder, payment: RelayPayment, record: GatewayPayment): StatusKind | 'undecided' | undefined {
  const { status, refunded, isSettled, currency } = payment;
  const isGone = nothingLeft.includes(status);
  const isExplained = isGone || here.reversed.has(record.transaction_id);
  switch (record.meaning) {
    case 'approved':
      // A person may know better than the record.
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

/** An order that the relay has no payment of. */
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

/** Approved payments that would pay this order: no later charge of its contract, and not of another one long ago. */
function unexpected(here: RelayOrder, there: ReadonlyMap<string, GatewayPayment>): GatewayPayment[] {
  return [...there.values()].filter(
    (one) => isApproved(one) && !isLaterCharge(here, one, there) && !isEarlier(here, one),
  );
}

/** Whether this charges a contract of the order again: a day or more after its payment, whose date is of the same clock. */
function isLaterCharge(here: RelayOrder, charge: GatewayPayment, there: ReadonlyMap<string, GatewayPayment>): boolean {
  const { contract, date } = charge;
  if (contract === undefined || date === undefined) return false;
  return here.payments.some(({ transaction_id }) => {
    const paid = there.get(transaction_id);
    if (!paid || !(here.contracts.has(contract) || paid.contract === contract)) return false;
    return paid.date !== undefined && date - paid.date >= DAY_MS;
  });
}

/** Whether it is of an order of long before that had the same number: a day or more before anything was sent for this one. */
function isEarlier({ firstSentAt }: RelayOrder, { date }: GatewayPayment): boolean {
  return firstSentAt !== undefined && date !== undefined && date < Date.parse(firstSentAt) - DAY_MS - MAX_OFFSET_MS;
}

/** New payments may not be in both records yet. One finding is enough for unknown ones. */
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
