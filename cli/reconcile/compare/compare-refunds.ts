import { toMinor } from '../../../shared/gateway/amounts.ts';
import type { Finding, GatewayRefund, Money, RelayOrder, RelayPayment, RelayRefund, UnknownReason } from './records.ts';

/**
 * In what the books differ about the refunds of an order's payments. Refunds of one payment have no name that both books know:
 * those of the same sum are the same. A payment that the gateway or the relay does not have is left out.
 */
export function compareRefunds(
  here: RelayOrder,
  there: readonly GatewayRefund[],
  paidThere: ReadonlySet<string>,
  now: Date,
): Finding[] {
  const payments = here.payments.filter(({ transaction_id }) => paidThere.has(transaction_id));
  return payments.flatMap((payment): Finding[] => {
    const isOwn = ({ transaction_id }: { transaction_id: string }): boolean =>
      transaction_id === payment.transaction_id;
    const [asked, booked] = [here.refunds.filter(isOwn), there.filter(isOwn)];
    if (!here.truncated) return refundsOf(here.order_no, payment, asked, booked, now);
    const isAny = booked.length > 0 || minorOf({ ...payment, amount: payment.refunded }) !== 0n;
    return isAny ? [{ class: 'unknown', order_no: here.order_no, reason: 'too_long' }] : [];
  });
}

function refundsOf(
  order_no: string,
  payment: RelayPayment,
  asked: readonly RelayRefund[],
  booked: readonly GatewayRefund[],
  now: Date,
): Finding[] {
  const left = booked.filter(({ meaning }) => meaning !== 'failed');
  const take = (refund: RelayRefund): boolean => {
    const at = left.findIndex((one) => sameMoney(one, refund));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  };
  const { transaction_id } = payment;
  const side = ({ amount, currency }: Money) => ({ status: 'refunded', amount, currency });
  const unknown = (reason: UnknownReason): Finding => ({ class: 'unknown', order_no, reason });
  const missingAtGateway = asked
    .filter((refund) => refund.outcome === 'succeeded' && !take(refund))
    .map((refund): Finding => {
      if (isYoung(refund.at, now)) return unknown('in_flight');
      return { class: 'refund_missing_there', order_no, transaction_id, here: side(refund) };
    });
  const undecided = asked.filter(({ outcome }) => outcome === 'unknown');
  for (const refund of undecided) take(refund);
  const missingAtRelay = (isForgotten(payment, asked, left) ? [] : left).map((refund): Finding => {
    if (refund.meaning !== 'succeeded') return unknown('undecided_there');
    const { refund_reference_id } = refund;
    return { class: 'refund_missing_here', order_no, transaction_id, refund_reference_id, there: side(refund) };
  });
  return [...missingAtGateway, ...missingAtRelay, ...undecided.map(() => unknown('refund_undecided'))];
}

/** Whether the rest are refunds of before the relay's `retention_days`: it keeps their sum permanently, and nothing else. */
function isForgotten(payment: RelayPayment, asked: readonly RelayRefund[], left: readonly GatewayRefund[]): boolean {
  const { currency, refunded } = payment;
  const kept = sum(asked.map(minorOf));
  const total = minorOf({ currency, amount: refunded });
  const rest = sum(left.map(minorOf));
  if (total === undefined || kept === undefined || rest === undefined || rest === 0n) return false;
  return total - kept === rest && left.every((one) => one.currency === currency);
}

function sum(all: readonly (bigint | undefined)[]): bigint | undefined {
  return all.reduce<bigint | undefined>(
    (total, one) => (total === undefined || one === undefined ? undefined : total + one),
    0n,
  );
}

/** How long the two books may need to agree about what was just sent. */
const YOUNG_MS = 5 * 60_000;

/** A sum as a text that equal sums share, in minor units. What no currency can be counted in is like itself alone. */
function moneyKey(money: Money): string {
  return `${minorOf(money) ?? money.amount} ${money.currency}`;
}

/** Whether two sums are the same, however they are written. */
export function sameMoney(left: Money, right: Money): boolean {
  return moneyKey(left) === moneyKey(right);
}

/** A sum in minor units; undefined for what is no sum of its currency. */
function minorOf({ amount, currency }: Money): bigint | undefined {
  try {
    return toMinor(amount, currency);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Whether something was sent so recently that the relay or the gateway may not list it yet. */
export function isYoung(at: string | undefined, now: Date): boolean {
  return at !== undefined && now.getTime() - Date.parse(at) < YOUNG_MS;
}
