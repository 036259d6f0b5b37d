import { z } from 'zod';
import { counted } from '../messages/field-messages.ts';
import type { Amount } from './amounts.ts';
import { amountText, answerText, currencyCode, fixedForm, identifier, orderNoText } from './text.ts';

/** §2.5, §2.6: what every item of a batch names. The transaction says it all; order_no is the shop's own check. */
export const itemFields = (amount: Amount) => ({
  transaction_id: identifier
    .regex(/^\S(.*\S)?$/, 'must not begin or end with a blank')
    .describe('The gateway’s id of the payment.'),
  order_no: identifier.optional().describe(orderNoText),
  currency: currencyCode.describe('ISO 4217 code of three capital letters.'),
  amount,
});

/** §2.5, §2.6: what every result of a batch names. */
export const resultFields = {
  transaction_id: fixedForm(answerText).describe('The gateway’s id of the payment.'),
  order_no: fixedForm(answerText).describe(orderNoText),
  currency: fixedForm(answerText).describe('ISO 4217 code of three capital letters.'),
  amount: fixedForm(answerText).describe(amountText),
};

/** §2.4, §2.7: what the answer to a query or a batch carries beside its list. */
export const answerEnvelope = {
  merchant_id: fixedForm(answerText).describe('Your number at the gateway.'),
  account_id: fixedForm(answerText).describe('Your account at the gateway.'),
  return_status: answerText.describe('Whether the gateway took the request, in its codes.'),
  return_message: answerText.describe('The gateway’s words to it.'),
  encryption_data: fixedForm(answerText).describe('The gateway’s signature. The relay has checked it.'),
};

/** What the relay adds to the gateway's answer about an operation that it keeps. An answer that an earlier version kept lacks it. */
export const noted = {
  operation_id: z.string().optional().describe('The relay’s id of the operation: `GET /v1/operations/:id` shows it.'),
};

/** What the relay adds to each result of a batch. */
export const notedResult = {
  outcome: z
    .enum(['succeeded', 'failed', 'unknown'])
    .optional()
    .describe('The meaning of the result by the gateway’s codes. `unknown`: it may have been done.'),
};

/**
 * The shop's own names of a batch's items, in their order. The relay keeps them, each for one item of an account and operation
 * permanently, and the gateway never sees them.
 */
export const references = z
  .array(identifier)
  .optional()
  .describe(
    'Your own name of each item, in their order, such as ids of your database. The relay keeps them and never does an item of this kind twice under one name, however often and by whomever it is asked; the gateway does not see them.',
  );

/** Checks that there is a reference of its own for each item of the `list`, if there are any. */
export const oneReferenceEach =
  <List extends string>(list: List) =>
  (payload: z.core.ParsePayload<Record<List, readonly unknown[]> & { references?: string[] | undefined }>): void => {
    const { references: given, [list]: items } = payload.value;
    if (given === undefined || !Array.isArray(items)) return;
    const tell = (path: (string | number)[], message: string): void => {
      payload.issues.push({ code: 'custom', path, message, input: given });
    };
    if (given.length !== items.length)
      tell(['references'], `must have ${counted(items.length, 'array')}, one for each item`);
    for (const [at, reference] of given.entries()) {
      if (given.indexOf(reference) !== at) tell(['references', at], 'is there already');
    }
  };

/** The items of a batch; the operation table says how many there may be (§8). */
export const batchOf = <Item extends z.ZodType>(item: Item) => z.array(item).min(1, 'must have at least one entry');
