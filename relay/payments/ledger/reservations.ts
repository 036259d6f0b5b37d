import { minorUnits, toMinor } from '../../../shared/gateway/amounts.ts';
import type { EffectName } from '../../../shared/gateway/operations.ts';
import type { Message } from '../../../shared/gateway/signature.ts';
import { itemsOf } from '../operations/operation.ts';
import type { RefundReservation, Reservation } from './accounting.ts';
import type { CaptureMode } from './ledger.ts';
import type { RefusalPeriod } from './payment-operation.ts';
import type { RecordMeaning } from './record.ts';

/**
 * The facts about payments from the configuration and the orders: the capture mode, the meaning of the record, the
 * values of `review_flag` that reject a payment, and the refusals that still count.
 */
export type PaymentTerms = {
  of(transactionId: string): { capture: CaptureMode; record?: RecordMeaning | undefined };
  rejects: readonly string[];
  refused: RefusalPeriod;
};

/**
 * The reservations of an operation on payments; none if it concerns no payment.
 * @param refunded the sums that must count as refunded of the payments, in minor units: otherwise the refund must not
 *   begin
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

/** The reservations of a message's refunds. */
export function refundReservations(request: Message, refunded?: ReadonlyMap<string, bigint>): RefundReservation[] {
  // Not `refundItems`, which leaves out a refund above the stated amount.
  const items = itemsOf({ name: 'refund', request });
  return items.map((item, at) => {
    const [transaction_id, currency] = [String(item.transaction_id), String(item.currency)];
    // The items before it in the batch count, too.
    const isFirst = items.findIndex((one) => one.transaction_id === transaction_id) === at;
    const before = refunded && isFirst ? { refunded: refunded.get(transaction_id) ?? 0n } : {};
    const units = (amount: unknown): bigint => toMinor(String(amount), currency);
    return {
      ...{ name: 'refund', transaction_id, currency, ...before },
      ...{ amount: units(item.refund_amount), original: units(item.amount) },
    };
  });
}
