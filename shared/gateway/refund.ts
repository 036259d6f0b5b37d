import { z } from 'zod';
import { type Amount, isMore, positiveShopAmount, wireAmount } from './amounts.ts';
import { batchEnvelope, batchOf, itemFields, oneReferenceEach, references, resultFields } from './batch.ts';
import { identification } from './payment-fields.ts';
import { inOwnCurrency } from './priced.ts';
import { answerNote, answerText, identifier, optionalText, text } from './text.ts';

const refundItem = (amount: Amount) =>
  z.strictObject({ ...itemFields(amount), refund_amount: amount, refund_reason: optionalText });

/** §2.5: one refund. `amount` is the original amount, of which `refund_amount` goes back. */
export type RefundItem = z.infer<ReturnType<typeof refundItem>>;

/** What a shop's server sends to the relay. */
export const refundBody = z
  .strictObject({
    refund_orders: batchOf(
      refundItem(positiveShopAmount)
        .check(inOwnCurrency)
        .refine(isWithinAmount, {
          path: ['refund_amount'],
          message: 'must not be more than the amount',
          when: isWhole,
        }),
    ),
    references,
  })
  .check(oneReferenceEach('refund_orders'));

/** §2.5, §2.7: the request on the wire. */
export const refundRequest = z.strictObject({ ...identification, refund_orders: batchOf(refundItem(wireAmount)) });
export type RefundRequest = z.infer<typeof refundRequest>;

/** §2.5: what became of one refund. */
export const refundResult = z.looseObject({
  ...resultFields,
  refund_amount: answerText,
  refund_message: answerText,
  refund_reason: answerNote,
  refund_reference: answerNote,
  refund_reference_id: answerNote,
  refund_status: answerText,
});
export type RefundResult = z.infer<typeof refundResult>;

/** §2.5, §2.7: the answer. */
export const refundAnswer = z.looseObject({ ...batchEnvelope, refund_orders: z.array(refundResult).nullish() });

function isWithinAmount(item: { amount: string; refund_amount: string }): boolean {
  return !isMore(item.refund_amount, item.amount);
}

/** Amounts are compared only where both have the form of one. */
function isWhole({ issues }: z.core.ParsePayload): boolean {
  return issues.length === 0;
}

/** What a shop's server sends to the relay; lists are arrays here. At least one of them must name something. */
export const refundSearchBody = z.strictObject({
  refund_orders: z.array(identifier).optional(),
  refund_references: z.array(identifier).optional(),
  merchant_refunds: z.array(identifier).optional(),
});

/** §4.2: the form parameters on the wire. An unused one may be absent or empty. */
export const refundSearchRequest = z.strictObject({
  ...identification,
  refund_orders: text(100_000).optional(),
  refund_references: text(100_000).optional(),
  merchant_refunds: text(100_000).optional(),
});
export type RefundSearchRequest = z.infer<typeof refundSearchRequest>;

/** §2.5: one refund that a search found. `refund_date` has the form YYYYMMDDHHMMSS. */
export const refundRecord = z.looseObject({
  ...resultFields,
  refund_status: answerText,
  payment_status: answerNote,
  refund_amount: answerText,
  refund_reference: answerNote,
  refund_reason: answerNote,
  refund_reference_id: answerText,
  refund_date: answerNote,
  refund_processing_date: answerNote,
});
export type RefundRecord = z.infer<typeof refundRecord>;

/** §4.2: the answer. */
export const refundSearchAnswer = z.looseObject({ ...batchEnvelope, refund_orders: z.array(refundRecord).nullish() });
