import { z } from 'zod';
import { sessionStatuses } from '../checkout/status.ts';
import { optionalString, string } from '../gateway/text.ts';
import { moment } from './fields.ts';
import { operationAnswer } from './operation.ts';
import { orderSummary } from './order.ts';
import { orderPayment } from './order-payment.ts';
import { subscriptionAnswer } from './subscription.ts';

/** The interpretations of a searched text. */
export const searchedAs = [
  ...(['order_no', 'transaction_id', 'recurring_id', 'session_id', 'operation_id'] as const),
  ...(['email', 'last4', 'amount'] as const),
] as const;
export type SearchedAs = (typeof searchedAs)[number];

/** How something was found. */
export const matches = [...searchedAs, 'order_no_end', 'order_no_start', 'transaction_id_start'] as const;
export type HitMatch = (typeof matches)[number];

/** The names in a description. A newer relay may have others. */
const listed = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

const searched = z.object({
  as: string.describe(`How the text was interpreted: ${listed(searchedAs)}.`),
  value: string.describe('The searched value: the last four digits of a card number, an amount as a decimal.'),
  currencies: z.array(z.string()).optional().describe('Of an amount: the currencies in which it was searched for.'),
  from: moment.optional().describe('Only what was created at this time or later was searched.'),
});
export type SearchedText = z.infer<typeof searched> & { as: SearchedAs };

const matched = z
  .array(z.string())
  .describe(
    `How it was found: ${listed(matches)}. An \`order_no\` is found in letters of any case; those with \`_start\` or \`_end\` match its beginning or its end.`,
  );

/** The maximum number of hits of a kind in one answer. */
export const MAX_HITS = 10;

/** The hits of one kind. */
const hitsOf = <Hit extends z.ZodType>(hit: Hit, kind: string) =>
  z
    .object({
      hits: z.array(hit).describe(`The first ${MAX_HITS}: exact matches first, then the newest.`),
      more: z.literal(true).optional().describe('Present if there can be more.'),
    })
    .describe(kind);

const orderHit = orderSummary.extend({ matched }).meta({ name: 'OrderHit', description: 'An order that was found.' });
export type OrderHit = z.infer<typeof orderHit>;

const paymentHit = orderPayment
  .pick({ transaction_id: true, order_no: true, amount: true, currency: true, status: true, paid_at: true })
  .extend({ method: optionalString.describe('`card`, `token`, or the method’s name, if known.'), matched })
  .meta({ name: 'PaymentHit', description: 'A payment that was found.' });
export type PaymentHit = z.infer<typeof paymentHit>;

const sessionHit = z
  .object({
    id: string.describe('The id of the session.'),
    order_no: string.describe('Your number of the order.'),
    status: z.enum(sessionStatuses).describe('The status of the session.'),
    amount: string.describe('The amount.'),
    currency: string.describe('ISO 4217 code of three capital letters.'),
    created_at: moment.describe('When it was created.'),
    matched,
  })
  .meta({ name: 'SessionHit', description: 'A session that was found.' });
export type SessionHit = z.infer<typeof sessionHit>;

const operationHit = operationAnswer
  .pick({ id: true, operation: true, status: true, created_at: true, by: true })
  .extend({
    order_no: optionalString.describe('The order of its first item.'),
    amount: optionalString.describe('The amount of its first item.'),
    currency: optionalString.describe('The currency of that amount.'),
    matched,
  })
  .meta({ name: 'OperationHit', description: 'An operation that was found.' });
export type OperationHit = z.infer<typeof operationHit>;

const subscriptionHit = subscriptionAnswer
  .pick({ recurring_id: true, contract_name: true, status: true, order_no: true, started_at: true })
  .extend({
    shopper_email: optionalString.describe('The shopper’s e-mail address, masked.'),
    amount: string.describe('The amount of its first charge.'),
    currency: string.describe('The currency of that amount.'),
    matched,
  })
  .meta({ name: 'SubscriptionHit', description: 'A contract that was found.' });
export type SubscriptionHit = z.infer<typeof subscriptionHit>;

/** The answer of `GET /v1/search`. */
export const searchAnswer = z
  .object({
    searched: z.array(searched).describe('The interpretations of the text. Each was searched.'),
    orders: hitsOf(orderHit, 'Orders.'),
    payments: hitsOf(paymentHit, 'Payments.'),
    sessions: hitsOf(sessionHit, 'Checkout sessions.'),
    operations: hitsOf(operationHit, 'Refunds, captures, payouts and other operations.'),
    subscriptions: hitsOf(subscriptionHit, 'Contracts.'),
  })
  .meta({ name: 'SearchAnswer', description: 'What was found, by kind.' });
export type SearchAnswer = z.infer<typeof searchAnswer>;

/** The query of `GET /v1/search`. */
export const searchQuery = z.strictObject({
  q: z.string().trim().min(1, 'must not be empty').max(320).meta({
    description:
      'What to search for: the number of an order in letters of any case, its beginning or its end; the gateway’s id of a payment or its beginning, or of a contract; the id of a session or an operation; an e-mail address; the last four digits of a card; an amount, with or without a currency.',
    example: 'a-1001',
  }),
});
