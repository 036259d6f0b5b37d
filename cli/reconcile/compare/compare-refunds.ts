import { toMinor } from '../../../shared/gateway/amounts.ts';
import type { Finding, GatewayRefund, Money, RelayOrder, RelayPayment, RelayRefund, UnknownReason } from './records.ts';

/**
 * The differences in the refunds of an order's payments. No name of a refund is in both records, so refunds of one
 * payment with the same sum are the same. A payment that is missing on one side is left out.
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

/** Whether the rest are refunds from before the relay's `retention_days`: the relay stores only their sum. */
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

/** How long the relay's and the gateway's records may differ after a message was sent. */
const YOUNG_MS = 5 * 60_000;

/** A text that is equal for equal sums, in minor units. An amount that is none of its currency equals only itself. */
function moneyKey(money: Money): string {
  return `${minorOf(money) ?? money.amount} ${money.currency}`;
}

/** Whether two sums are equal, in any notation. */
export function sameMoney(left: Money, right: Money): boolean {
  return moneyKey(left) === moneyKey(right);
}

/** A sum in minor units; undefined if it is no amount of its currency. */
function minorOf({ amount, currency }: Money): bigint | undefined {
  try {
    return toMinor(amount, currency);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Whether a message was sent so recently that the relay or the gateway may not list it yet. */
export function isYoung(at: string | undefined, now: Date): boolean {
  return at !== undefined && now.getTime() - Date.parse(at) < YOUNG_MS;
}
