import { z } from 'zod';
import { type Amount, inOwnCurrency, isWhole, positiveShopAmount, wireAmount } from './amount-fields.ts';
import { isMore } from './amounts.ts';
import {
  answerEnvelope,
  batchOf,
  itemFields,
  noted,
  notedResult,
  oneReferenceEach,
  references,
  resultFields,
} from './batch.ts';
import { identification } from './payment-fields.ts';
import { answerNote, answerText, fixedForm, gatewayAnswer, identifier, optionalText, text } from './text.ts';

const refundItem = (amount: Amount) =>
  z.strictObject({
    ...itemFields(amount.describe('The amount of the payment, not of the refund.')),
    refund_amount: amount.describe(
      'The amount to refund: at most the amount of the payment, and at most its refundable rest.',
    ),
    refund_reason: optionalText.describe('The reason of the refund.'),
  });

/** §2.5: one refund. `amount` is the original amount, `refund_amount` the part to refund. */
export type RefundItem = z.infer<ReturnType<typeof refundItem>>;

const within = {
  path: ['refund_amount'],
  message: 'must not be more than the amount',
  when: isWhole,
};

/** One refund with all required fields. */
export const wholeRefund = refundItem(positiveShopAmount).check(inOwnCurrency).refine(isWithinAmount, within);

/** The body of a shop's server. */
export const refundBody = z
  .strictObject({
    refund_orders: batchOf(
      refundItem(positiveShopAmount)
        .partial({ currency: true, amount: true, refund_amount: true })
        .check(inOwnCurrency)
        .refine(isWithinAmount, within)
        .meta({ name: 'RefundItem', description: 'One refund.' }),
    ).describe('The refunds.'),
    references,
  })
  .check(oneReferenceEach('refund_orders'))
  .meta({ name: 'Refund', description: 'Refunds.' });

/** §2.5, §2.7: the request on the wire. */
export const refundRequest = z.strictObject({ ...identification, refund_orders: batchOf(refundItem(wireAmount)) });

/** §2.5: the outcome of one refund. */
export const refundResult = z.looseObject({
  ...resultFields,
  refund_amount: fixedForm(answerText).describe('The amount that is refunded.'),
  refund_message: answerText.describe('The gateway’s code and words, with a colon between them.'),
  refund_reason: answerNote.describe('The reason of the refund.'),
  refund_reference: fixedForm(answerNote).describe('Your reference of the refund; it may be empty.'),
  refund_reference_id: fixedForm(answerNote).describe('The gateway’s id of the refund.'),
  refund_status: answerText.describe('The outcome, as the gateway’s code.'),
});
export type RefundResult = z.infer<typeof refundResult>;

/** §2.5, §2.7: the answer. */
export const refundAnswer = z.looseObject({
  ...answerEnvelope,
  refund_orders: z.array(refundResult).nullish().describe('The refunds.'),
});

/** The relay's answer. */
export const refundReply = refundAnswer
  .extend({
    ...noted,
    refund_orders: z
      .array(refundResult.extend(notedResult).meta({ name: 'RefundResult', description: 'The outcome of one refund.' }))
      .nullish()
      .describe('The refunds.'),
  })
  .meta({ name: 'RefundAnswer', description: gatewayAnswer });

function isWithinAmount(item: { amount?: string | undefined; refund_amount?: string | undefined }): boolean {
  const { amount, refund_amount } = item;
  return amount === undefined || refund_amount === undefined || !isMore(refund_amount, amount);
}

/** The body of a shop's server, with lists as arrays. At least one list must have an entry. */
export const refundSearchBody = z
  .strictObject({
    refund_orders: z.array(identifier).optional().describe('The orders of the refunds to find.'),
    refund_references: z
      .array(identifier)
      .optional()
      .describe('Refunds to find by the gateway’s `refund_reference_id`.'),
    merchant_refunds: z.array(identifier).optional().describe('Refunds to find by your own reference.'),
  })
  .meta({ name: 'RefundSearch', description: 'Which refunds to look for.' });

/** §4.2: the form parameters on the wire. An unused one may be absent or empty. */
export const refundSearchRequest = z.strictObject({
  ...identification,
  refund_orders: text(100_000).optional(),
  refund_references: fixedForm(text(100_000)).optional(),
  merchant_refunds: fixedForm(text(100_000)).optional(),
});
export type RefundSearchRequest = z.infer<typeof refundSearchRequest>;

/** §2.5: one refund in the answer to a search. `refund_date` has the form YYYYMMDDHHMMSS. */
export const refundRecord = z
  .looseObject({
    ...resultFields,
    refund_status: answerText.describe('The outcome, as the gateway’s code.'),
    payment_status: answerNote.describe('The payment’s state, in the gateway’s codes.'),
    refund_amount: fixedForm(answerText).describe('The refunded amount.'),
    refund_reference: fixedForm(answerNote).describe('Your reference of the refund; it may be empty.'),
    refund_reason: answerNote.describe('The reason of the refund.'),
    refund_reference_id: fixedForm(answerText).describe('The gateway’s id of the refund.'),
    refund_date: fixedForm(answerNote).describe('The time of the request, `YYYYMMDDHHMMSS`.'),
    refund_processing_date: fixedForm(answerNote).describe('The time of the refund; empty until it is done.'),
  })
  .meta({ name: 'RefundRecord', description: 'The gateway’s record of a refund.' });
export type RefundRecord = z.infer<typeof refundRecord>;

/** §4.2: the answer. */
export const refundSearchAnswer = z
  .looseObject({
    ...answerEnvelope,
    refund_orders: z.array(refundRecord).nullish().describe('The refunds.'),
  })
  .meta({ name: 'RefundSearchAnswer', description: gatewayAnswer });
