import { z } from 'zod';

const codes = z.array(z.string());

/**
 * What `GET /v1/profile` answers: what it takes to read the gateway's own records, which `POST /v1/query` and
 * `POST /v1/refund/search` give back as they are. A code that no list has means nothing that is known.
 */
export const profileAnswer = z
  .object({
    gateway_time_zone: z.string().meta({ description: 'The time zone of the gateway’s dates, by its IANA name.' }),
    query_without_list: z.enum(['not_counted', 'empty']).meta({
      description:
        'Whether an answer without a list proves nothing (`not_counted`), or that nothing was found (`empty`).',
    }),
    codes: z
      .object({
        payment_status: z
          .object({
            approved: codes.meta({ description: 'The payment was made.' }),
            declined: codes.meta({ description: 'The payment was not made.' }),
            pending: codes.meta({ description: 'The payment is in progress.' }),
          })
          .meta({ description: 'The codes of payments in answers to queries.' }),
        query_result: z
          .object({ not_found: codes.meta({ description: 'It is no record: the gateway has no such order.' }) })
          .meta({ description: 'The codes of records in answers to queries.' }),
        return_status: z
          .object({
            success: codes.meta({ description: 'It succeeded.' }),
            failed: codes.meta({ description: 'It failed.' }),
          })
          .meta({ description: 'The codes of a whole answer.' }),
        refund_status: z
          .object({
            success: codes.meta({ description: 'It succeeded.' }),
            failed: codes.meta({ description: 'It failed.' }),
          })
          .meta({ description: 'The codes of refunds.' }),
      })
      .meta({ description: 'The meaning of the gateway’s codes. A code that is in no list is unknown.' }),
  })
  .meta({ name: 'Profile', description: 'What you need to read the gateway’s records.' });
export type ProfileAnswer = z.infer<typeof profileAnswer>;
