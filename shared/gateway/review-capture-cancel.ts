import { z } from 'zod';
import { type Amount, positiveShopAmount, shopAmount, wireAmount } from './amounts.ts';
import { batchEnvelope, batchOf, itemFields, oneReferenceEach, references, resultFields } from './batch.ts';
import { identification } from './payment-fields.ts';
import { inOwnCurrency } from './priced.ts';
import { answerNote, answerText, identifier, optionalText, requiredText } from './text.ts';

/** §2.6: one transaction to accept or to reject. The spec does not list the values of review_flag. */
const reviewItem = (amount: Amount) => z.strictObject({ ...itemFields(amount), review_flag: requiredText() });

/** §2.6: one transaction to capture, or to cancel. */
const plainItem = (amount: Amount) => z.strictObject(itemFields(amount));

/** What a shop's server sends to the relay. */
export const reviewBody = z
  .strictObject({ review_orders: batchOf(reviewItem(positiveShopAmount).check(inOwnCurrency)), references })
  .check(oneReferenceEach('review_orders'));
export const captureBody = z
  .strictObject({ capture_orders: batchOf(plainItem(positiveShopAmount).check(inOwnCurrency)), references })
  .check(oneReferenceEach('capture_orders'));
/** What was paid with nothing can be cancelled too: the check of a card. */
export const cancelBody = z
  .strictObject({ cancel_orders: batchOf(plainItem(shopAmount).check(inOwnCurrency)), references })
  .check(oneReferenceEach('cancel_orders'));

/** §2.6, §2.7: the requests on the wire. */
export const reviewRequest = z.strictObject({ ...identification, review_orders: batchOf(reviewItem(wireAmount)) });
export const captureRequest = z.strictObject({ ...identification, capture_orders: batchOf(plainItem(wireAmount)) });
export const cancelRequest = z.strictObject({ ...identification, cancel_orders: batchOf(plainItem(wireAmount)) });
export type ReviewRequest = z.infer<typeof reviewRequest>;
export type CaptureRequest = z.infer<typeof captureRequest>;
export type CancelRequest = z.infer<typeof cancelRequest>;

const result = { ...resultFields, error_message: answerNote };
const reviewResult = z.looseObject({ ...result, review_flag: answerNote, review_status: answerText });
const captureResult = z.looseObject({ ...result, capture_status: answerText });
const cancelResult = z.looseObject({ ...result, cancel_status: answerText });

/** §2.6, §2.7: the answers. error_message is empty where all went well. */
export const reviewAnswer = z.looseObject({ ...batchEnvelope, review_orders: z.array(reviewResult).nullish() });
export const captureAnswer = z.looseObject({ ...batchEnvelope, capture_orders: z.array(captureResult).nullish() });
export const cancelAnswer = z.looseObject({ ...batchEnvelope, cancel_orders: z.array(cancelResult).nullish() });

const contract = { recurring_id: identifier, contract_name: optionalText };

/** What a shop's server sends to the relay. `recurring_id` names the contract; its name is the shop's own check. */
export const subscriptionCancelBody = z.strictObject(contract);

/** §2.8: the request on the wire. */
export const subscriptionCancelRequest = z.strictObject({ ...identification, ...contract });
export type SubscriptionCancelRequest = z.infer<typeof subscriptionCancelRequest>;

/** §2.8: the answer. */
export const subscriptionCancelAnswer = z.looseObject({
  merchant_id: answerText,
  account_id: answerText,
  recurring_id: answerText,
  contract_name: answerNote,
  cancel_status: answerText,
  error_message: answerNote,
  encryption_data: answerText,
});
