import { z } from 'zod';
import { counted } from '../messages/field-messages.ts';
import type { Amount } from './amount-fields.ts';
import { amountText, answerText, currencyCode, fixedForm, identifier, orderNoText } from './text.ts';

/**
 * §2.5, §2.6: the names in every item of a batch. The transaction_id is sufficient; order_no is the shop's own check.
 */
export const itemFields = (amount: Amount) => ({
  transaction_id: identifier
    .regex(/^\S(.*\S)?$/, 'must not begin or end with a blank')
    .describe('The gateway’s id of the payment.'),
  order_no: identifier.optional().describe(orderNoText),
  currency: currencyCode.describe('ISO 4217 code of three capital letters.'),
  amount,
});

/** §2.5, §2.6: the names in every result of a batch. */
export const resultFields = {
  transaction_id: fixedForm(answerText).describe('The gateway’s id of the payment.'),
  order_no: fixedForm(answerText).describe(orderNoText),
  currency: fixedForm(answerText).describe('ISO 4217 code of three capital letters.'),
  amount: fixedForm(answerText).describe(amountText),
};

/** §2.4, §2.7: the fields beside the list in the answer to a query or a batch. */
export const answerEnvelope = {
  merchant_id: fixedForm(answerText).describe('Your number at the gateway.'),
  account_id: fixedForm(answerText).describe('Your account at the gateway.'),
  return_status: answerText.describe('Whether the gateway took the request, in its codes.'),
  return_message: answerText.describe('The gateway’s words to it.'),
  encryption_data: fixedForm(answerText).describe('The gateway’s signature. The relay has checked it.'),
};

/** The description of when `operation_id` and `outcome` are absent from an answer. */
export const ofEarlierVersion =
  'Absent if a repeated key gets an answer that an earlier version of the relay stored: `X-Operation-Id` names the operation, and `GET /v1/operations/:id` has the outcome.';

/** The fields that the relay adds to the gateway's answer about a stored operation. */
export const noted = {
  operation_id: z
    .string()
    .optional()
    .describe(`The relay’s id of the operation: \`GET /v1/operations/:id\` shows it. ${ofEarlierVersion}`),
};

/** The fields that the relay adds to each result of a batch. */
export const notedResult = {
  outcome: z
    .enum(['succeeded', 'failed', 'unknown'])
    .optional()
    .describe(
      `The meaning of the result by the gateway’s codes. \`unknown\`: it may have been done. ${ofEarlierVersion}`,
    ),
};

/**
 * The shop's own references of a batch's items, in the order of the items. The relay stores each permanently, for one
 * item of an account and operation. The gateway never gets them.
 */
export const references = z
  .array(identifier)
  .optional()
  .describe(
    'Your own name of each item, in their order, such as ids of your database. The relay keeps the names permanently, and does at most one item of this kind under each name. They are not sent to the gateway.',
  );

/** Checks that each item of the `list` has its own reference, if there are references. */
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

/** The items of a batch. The operation table has their maximum number (§8). */
export const batchOf = <Item extends z.ZodType>(item: Item) => z.array(item).min(1, 'must have at least one entry');
