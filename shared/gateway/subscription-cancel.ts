import { z } from 'zod';
import { identification } from './payment-fields.ts';
import { answerNote, answerText, identifier, optionalText } from './text.ts';

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
