import { z } from 'zod';
import { string } from '../gateway/text.ts';

const codes = z.array(z.string());

/**
 * The answer of `GET /v1/profile`: the meaning of the codes in the gateway's own records, which `POST /v1/query` and
 * `POST /v1/refund/search` return unchanged. A code in no list has no known meaning.
 */
export const profileAnswer = z
  .object({
    gateway_time_zone: string.describe('The time zone of the gateway’s dates, by its IANA name.'),
    query_without_list: z
      .enum(['not_counted', 'empty'])
      .describe(
        'Whether an answer without a list proves nothing (`not_counted`), or that nothing was found (`empty`).',
      ),
    codes: z
      .object({
        payment_status: z
          .object({
            approved: codes.describe('The payment was made.'),
            declined: codes.describe('The payment was not made.'),
            pending: codes.describe('The payment is in progress.'),
            held: codes.describe('The payment was made, and waits for a review.'),
            charged_back: codes.describe('The payment was charged back.'),
            refunded: codes.describe('The payment was refunded.'),
            partially_refunded: codes.describe('A part of the payment was refunded.'),
            cancelled: codes.describe('The payment was cancelled.'),
          })
          .describe('The codes of payments in answers to queries.'),
        fraud_check: z
          .object({ rejected: codes.describe('The check holds the payment for a review.') })
          .describe('The statuses of fraud checks in answers to queries.'),
        query_result: z
          .object({ not_found: codes.describe('It is no record: the gateway has no such order.') })
          .describe('The codes of records in answers to queries.'),
        return_status: z
          .object({
            success: codes.describe('It succeeded.'),
            failed: codes.describe('It failed.'),
          })
          .describe('The codes of a whole answer.'),
        refund_status: z
          .object({
            success: codes.describe('It succeeded.'),
            failed: codes.describe('It failed.'),
          })
          .describe('The codes of refunds.'),
      })
      .describe('The meaning of the gateway’s codes. A code that is in no list is unknown.'),
  })
  .meta({ name: 'Profile', description: 'What you need to read the gateway’s records.' });
export type ProfileAnswer = z.infer<typeof profileAnswer>;
