import { z } from 'zod';
import { batchEnvelope, resultFields } from './batch.ts';
import { identification } from './payment-fields.ts';
import { answerNote, answerText, identifier, text } from './text.ts';

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
