import { z } from 'zod';
import { result } from '../checkout/pay.ts';
import { contractTerms } from '../checkout/view.ts';
import { identifier, optionalString, string } from '../gateway/text.ts';
import {
  email,
  type FilterOf,
  listFormat,
  moment,
  nextPage,
  orderPlace,
  pageQuery,
  settledBy,
  settlementNote,
} from './fields.ts';
import { operationStatuses } from './operation.ts';

/**
 * The status of a contract, as far as the relay knows it: `active` until it is ended through the relay, the gateway
 * reports its end, or `contract_end` is past; `ending` while its end is being sent; `end_unknown` while the outcome of
 * that is unknown.
 */
const subscriptionStatuses = ['active', 'ending', 'end_unknown', 'ended'] as const;

/** One charge of a contract, with its time by the gateway's record. */
export const charge = z
  .object({
    transaction_id: string.describe('The gateway’s id of the charge.'),
    order_no: string.describe('The number of its order: `GET /v1/orders/{order_no}`.'),
    at: moment.describe('When it was made.'),
    amount: string.describe('The amount.'),
    currency: string.describe('ISO 4217 code.'),
  })
  .meta({ name: 'SubscriptionCharge', description: 'A charge of a contract.' });

/** A contract: its first payment, its terms and its status. */
export const subscriptionAnswer = z
  .object({
    recurring_id: string.describe('The gateway’s id of the contract. `POST /v1/subscription/cancel` ends it.'),
    contract_name: optionalString.describe('The name of the contract, from the gateway or from your order.'),
    status: z
      .enum(subscriptionStatuses)
      .describe(
        '`active` until it is known to be over; `ending` while its end is being sent; `end_unknown` while the outcome of that is unknown; `ended` if it was ended through the relay, if a signed notification of the gateway says so, or if the day of its `contract_end` is over. The relay does not know of an end in the gateway’s portal without a notification.',
      ),
    order_no: string.describe('Your number of the order whose payment began it.'),
    session_id: optionalString.describe('The id of the session that it was paid through, if known.'),
    started_at: moment.describe('When its first payment was made.'),
    shopper_email: optionalString.describe('The shopper’s e-mail address, masked, if the order has it.'),
    card: optionalString.describe('The card of the first payment, masked.'),
    currency: string.describe('ISO 4217 code.'),
    terms: contractTerms.omit({ contract_name: true }).optional().describe('The terms in your order (§2.1).'),
    recurring_deduction_period: optionalString.describe('From the gateway’s answer to the first payment.'),
    recurring_deduction_time: optionalString.describe('From the gateway’s answer to the first payment.'),
    recurring_status: optionalString.describe('The gateway’s code, from its last signed notification.'),
    first_charge: charge.describe('The payment that began it.'),
    later_charges: z
      .int()
      .describe(
        'The number of known charges after the first that succeeded. Each is a payment: `GET /v1/payments?recurring_id=`.',
      ),
    last_charge: charge.optional().describe('The last of these.'),
    failures: z
      .int()
      .describe('The number of failed charges since the last successful one, by the dates of the gateway’s records.'),
    last_failure: charge
      .extend({
        order_no: string.describe(
          'The number that the gateway’s record has. Nothing was paid, so there may be no such order.',
        ),
        result: result.describe('The reason, by the gateway’s record: its `payment_status` and `decline_reason`.'),
        acknowledged: z.object(settledBy).optional().describe('Who is done with it: it needs no attention any more.'),
      })
      .optional()
      .describe('The last of these. Absent once a charge succeeded.'),
    next_charge: z
      .object({
        date: z.iso.date().describe('The day, `YYYY-MM-DD`.'),
        by: z.enum(['gateway', 'terms']).describe('The source of the date: the gateway, or the `terms`.'),
        amount: string.describe('The expected amount.'),
        currency: string.describe('ISO 4217 code.'),
      })
      .optional()
      .describe(
        'The expected next charge: the day, in the gateway’s time zone, and the amount. `by` states whether the `gateway` sent the day, or the relay computed it from the `terms`. The interface does not define those, so this is an estimate. Absent if the terms do not define it, or no charge is left.',
      ),
    end: z
      .object({
        operation_id: string.describe('The id of the operation: see `GET /v1/operations/{id}`.'),
        status: z.enum(operationStatuses).describe('The status of the operation.'),
        outcome: z.enum(['succeeded', 'failed', 'unknown']).optional().describe('The outcome, if known.'),
        at: moment.describe('The time.'),
        by: string.describe('The name of the API key that requested it.'),
      })
      .optional()
      .describe('The last request to end it through the relay.'),
    notifications: z
      .int()
      .describe('The number of notifications to the session’s `notify_url`. A repeated one counts once.'),
    notified_at: moment.optional().describe('The time of the last notification.'),
  })
  .meta({ name: 'SubscriptionAnswer', description: 'A contract with its charges, and the next one expected.' });
export type SubscriptionAnswer = z.infer<typeof subscriptionAnswer>;

/** `POST /v1/subscriptions/:recurring_id/acknowledge`: a person acknowledges the failed charges. */
export const acknowledgeSubscription = z.strictObject({ note: settlementNote('contract') }).meta({
  name: 'AcknowledgeSubscription',
  description: 'A person is done with the failed charges of a contract.',
});
export type AcknowledgeSubscription = z.infer<typeof acknowledgeSubscription>;

/** The answer of `GET /v1/subscriptions`, newest first. `next` is the `before` of the next page; the last page has none. */
export const subscriptionList = z
  .object({
    subscriptions: z.array(subscriptionAnswer).describe('The contracts, the newest first.'),
    next: nextPage,
  })
  .meta({ name: 'SubscriptionList', description: 'One page of contracts.' });
export type SubscriptionList = z.infer<typeof subscriptionList>;

/** The query of `GET /v1/subscriptions`: texts. */
export const subscriptionQuery = z.strictObject({
  recurring_id: identifier.optional().meta({ description: 'The gateway’s id of the contract.', example: 'REC-30417' }),
  order_no: identifier
    .optional()
    .meta({ description: 'Your number of the order whose payment began the contract.', example: 'A-1001' }),
  email: email.describe('The shopper’s whole e-mail address, from the order or the form.'),
  format: listFormat.meta({ description: '`csv`: the same as `Accept: text/csv`, for links.', example: 'csv' }),
  ...pageQuery(orderPlace),
});

/** The filter of contracts, as the client takes it. */
export type SubscriptionFilter = FilterOf<typeof subscriptionQuery>;
