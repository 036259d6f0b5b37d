import { z } from 'zod';
import { type Amount, inOwnCurrency, positiveShopAmount, shopAmount, wireAmount } from './amount-fields.ts';
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
import { answerNote, answerText, fixedForm, gatewayAnswer, identifier, optionalText, requiredText } from './text.ts';

/** §2.6: one transaction to accept or to reject. The spec does not list the values of review_flag. */
const reviewItem = (amount: Amount) =>
  z.strictObject({
    ...itemFields(amount.describe('The amount of the payment.')),
    review_flag: requiredText().describe('The decision, in the gateway’s words.'),
  });

/** §2.6: one transaction to capture, or to cancel. */
const plainItem = (amount: Amount) =>
  z.strictObject(
    itemFields(
      amount.describe(
        'For a capture, the amount to capture: at most the authorised amount. For a cancellation, the amount of the payment.',
      ),
    ),
  );

/** The fields that an item of a known payment may leave out. */
const leftOut = { currency: true, amount: true } as const;

/** One item with all required fields. */
export const wholeReview = reviewItem(positiveShopAmount).check(inOwnCurrency);
export const wholeCapture = plainItem(positiveShopAmount).check(inOwnCurrency);
export const wholeCancel = plainItem(shopAmount).check(inOwnCurrency);

/** The body of a shop's server. */
export const reviewBody = z
  .strictObject({
    review_orders: batchOf(
      reviewItem(positiveShopAmount)
        .partial(leftOut)
        .check(inOwnCurrency)
        .meta({ name: 'ReviewItem', description: 'One decision.' }),
    ).describe('The decisions.'),
    references,
  })
  .check(oneReferenceEach('review_orders'))
  .meta({ name: 'Review', description: 'Decisions on payments that are held for review.' });
export const captureBody = z
  .strictObject({
    capture_orders: batchOf(
      plainItem(positiveShopAmount)
        .partial(leftOut)
        .check(inOwnCurrency)
        .meta({ name: 'TransactionItem', description: 'One payment.' }),
    ).describe('The captures.'),
    references,
  })
  .check(oneReferenceEach('capture_orders'))
  .meta({ name: 'Capture', description: 'Captures.' });

/** The amount may be zero: such a payment only checked a card. */
export const cancelBody = z
  .strictObject({
    cancel_orders: batchOf(plainItem(shopAmount).partial(leftOut).check(inOwnCurrency)).describe('The cancellations.'),
    references,
  })
  .check(oneReferenceEach('cancel_orders'))
  .meta({ name: 'Cancel', description: 'Cancellations.' });

/** §2.6, §2.7: the requests on the wire. */
export const reviewRequest = z.strictObject({ ...identification, review_orders: batchOf(reviewItem(wireAmount)) });
export const captureRequest = z.strictObject({ ...identification, capture_orders: batchOf(plainItem(wireAmount)) });
export const cancelRequest = z.strictObject({ ...identification, cancel_orders: batchOf(plainItem(wireAmount)) });
export type ReviewRequest = z.infer<typeof reviewRequest>;

const status = answerText.describe('The outcome, as the gateway’s code.');
const result = {
  ...resultFields,
  error_message: answerNote.describe('The reason of the failure; empty if it did not fail.'),
};
const reviewResult = z.looseObject({
  ...result,
  review_flag: answerNote.describe('The decision, in the gateway’s words.'),
  review_status: status,
});
const captureResult = z.looseObject({ ...result, capture_status: status });
const cancelResult = z.looseObject({ ...result, cancel_status: status });

/** §2.6, §2.7: the answers. error_message is empty after a success. */
export const reviewAnswer = z.looseObject({
  ...answerEnvelope,
  review_orders: z.array(reviewResult).nullish().describe('The decisions.'),
});
export const captureAnswer = z.looseObject({
  ...answerEnvelope,
  capture_orders: z.array(captureResult).nullish().describe('The captures.'),
});
export const cancelAnswer = z.looseObject({
  ...answerEnvelope,
  cancel_orders: z.array(cancelResult).nullish().describe('The cancellations.'),
});

/** The relay's answer. */
export const reviewReply = reviewAnswer
  .extend({ ...noted, review_orders: z.array(reviewResult.extend(notedResult)).nullish().describe('The decisions.') })
  .meta({ name: 'ReviewAnswer', description: gatewayAnswer });
export const captureReply = captureAnswer
  .extend({ ...noted, capture_orders: z.array(captureResult.extend(notedResult)).nullish().describe('The captures.') })
  .meta({ name: 'CaptureAnswer', description: gatewayAnswer });
export const cancelReply = cancelAnswer
  .extend({
    ...noted,
    cancel_orders: z.array(cancelResult.extend(notedResult)).nullish().describe('The cancellations.'),
  })
  .meta({ name: 'CancelAnswer', description: gatewayAnswer });

const contract = {
  recurring_id: identifier.describe('The gateway’s id of the contract.'),
  contract_name: fixedForm(optionalText).describe('The contract’s name, as a check that you mean this one.'),
};

/** The body of a shop's server. `recurring_id` identifies the contract; its name is the shop's own check. */
export const subscriptionCancelBody = z
  .strictObject(contract)
  .meta({ name: 'SubscriptionCancel', description: 'Which contract ends.' });

/** §2.8: the request on the wire. */
export const subscriptionCancelRequest = z.strictObject({ ...identification, ...contract });
export type SubscriptionCancelRequest = z.infer<typeof subscriptionCancelRequest>;

/** §2.8: the answer. */
export const subscriptionCancelAnswer = z.looseObject({
  merchant_id: fixedForm(answerText).describe('Your number at the gateway.'),
  account_id: fixedForm(answerText).describe('Your account at the gateway.'),
  recurring_id: fixedForm(answerText).describe('The gateway’s id of the contract.'),
  contract_name: fixedForm(answerNote).describe('The contract’s name.'),
  cancel_status: status,
  error_message: answerNote.describe('The reason of the failure; empty if it did not fail.'),
  encryption_data: fixedForm(answerText).describe('The gateway’s signature. The relay has checked it.'),
});

/** The relay's answer. */
export const subscriptionCancelReply = subscriptionCancelAnswer
  .extend({ ...noted, ...notedResult })
  .meta({ name: 'SubscriptionCancelAnswer', description: gatewayAnswer });
