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

/**
 * The shop's own names of a batch's items, in their order. The relay keeps them, each for one item of an account and operation
 * for good, and the gateway never sees them.
 */
export const references = z.array(identifier).optional();

/** Checks that there is a reference of its own for each item of the `list`, where there are any. */
export const oneReferenceEach =
  <List extends string>(list: List) =>
  (payload: z.core.ParsePayload<Record<List, readonly unknown[]> & { references?: string[] | undefined }>): void => {
    const { references: given, [list]: items } = payload.value;
    if (given === undefined || !Array.isArray(items)) return;
    const tell = (path: (string | number)[], message: string): void => {
      payload.issues.push({ code: 'custom', path, message, input: given });
    };
    if (given.length !== items.length) tell(['references'], `must have ${items.length} entries, one for each item`);
    for (const [at, reference] of given.entries()) {
      if (given.indexOf(reference) !== at) tell(['references', at], 'is there already');
    }
  };

/** The items of a batch; the operation table says how many there may be (§8). */
export const batchOf = <Item extends z.ZodType>(item: Item) => z.array(item).min(1, 'must have at least one entry');
