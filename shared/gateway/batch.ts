import { z } from 'zod';
import type { Amount } from './amounts.ts';
import { answerText, currencyCode, identifier } from './text.ts';

/** §2.5, §2.6: what every item of a batch names. The transaction says it all; order_no is the shop's own check. */
export const itemFields = (amount: Amount) => ({
  transaction_id: identifier.regex(/^\S(.*\S)?$/, 'must not begin or end with a blank'),
  order_no: identifier.optional(),
  currency: currencyCode,
  amount,
});

/** §2.5, §2.6: what every result of a batch names. */
export const resultFields = {
  transaction_id: answerText,
  order_no: answerText,
  currency: answerText,
  amount: answerText,
};

/** §2.7: what every answer to a batch carries beside its results. */
export const batchEnvelope = {
  merchant_id: answerText,
  account_id: answerText,
  return_status: answerText,
  return_message: answerText,
  encryption_data: answerText,
};

/** The items of a batch; the operation table says how many there may be (§8). */
export const batchOf = <Item extends z.ZodType>(item: Item) => z.array(item).min(1, 'must have at least one entry');
