import { minorUnits, toMinor } from '../../../shared/gateway/amounts.ts';
import type { EffectName } from '../../../shared/gateway/operations.ts';
import type { Message } from '../../../shared/gateway/signature.ts';
import { itemsOf } from '../operations/operation.ts';
import type { RefundReservation, Reservation } from './accounting.ts';
import type { CaptureMode } from './ledger.ts';
import type { RefusalPeriod } from './payment-operation.ts';
import type { RecordSays } from './record.ts';

/**
 * What the configuration and the orders say of payments: how each is captured and what its record says, which values of `review_flag` reject one, and which
 * refusals still count.
 */
export type PaymentTerms = {
  of(transactionId: string): { capture: CaptureMode; record?: RecordSays | undefined };
  rejects: readonly string[];
  refused: RefusalPeriod;
};

/**
 * What an operation on payments takes of each: none for one that concerns no payment.
 * @param refunded what must count as refunded of payments before, in minor units: else the refund must not begin
 */
export function reservationsOf(
  name: EffectName,
  request: Message,
  { of, ...all }: PaymentTerms,
  refunded?: ReadonlyMap<string, bigint>,
): Reservation[] {
  const terms = (transactionId: string) => ({ ...of(transactionId), ...all });
  switch (name) {
    case 'refund':
      return refundReservations(request, refunded).map((one) => ({ ...one, ...terms(one.transaction_id) }));
    case 'capture':
    case 'cancel':
    case 'review':
      return itemsOf({ name, request }).map((item) => {
        const [transaction_id, currency] = [String(item.transaction_id), String(item.currency)];
        const amount = minorUnits(String(item.amount), currency);
        const asked = { transaction_id, currency, amount, ...terms(transaction_id) };
        return name === 'review' ? { ...asked, name, flag: String(item.review_flag) } : { ...asked, name };
      });
    case 'subscription_cancel':
    case 'payout':
      return [];
  }
}

/** What each refund of a message takes of its payment, whatever is known of that. */
export function refundReservations(request: Message, refunded?: ReadonlyMap<string, bigint>): RefundReservation[] {
  // Not `refundItems`: it leaves out a refund of more than the amount that it states.
  const items = itemsOf({ name: 'refund', request });
  return items.map((item, at) => {
    const [transaction_id, currency] = [String(item.transaction_id), String(item.currency)];
    // Those before it in the batch count, too.
    const isFirst = items.findIndex((one) => one.transaction_id === transaction_id) === at;
    const before = refunded && isFirst ? { refunded: refunded.get(transaction_id) ?? 0n } : {};
    const units = (amount: unknown): bigint => toMinor(String(amount), currency);
    return {
      ...{ name: 'refund', transaction_id, currency, ...before },
      ...{ amount: units(item.refund_amount), original: units(item.amount) },
    };
  });
}
