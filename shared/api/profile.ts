import { z } from 'zod';

const codes = z.array(z.string());

/**
 * What `GET /v1/profile` answers: what it takes to read the gateway's own records, which `POST /v1/query` and
 * `POST /v1/refund/search` give back as they are. A code that no list has means nothing that is known.
 */
export const profileAnswer = z.object({
  gateway_time_zone: z.string().meta({ description: 'The time zone of the gateway’s dates, by its IANA name.' }),
  codes: z
    .object({
      payment_status: z
        .object({
          approved: codes.meta({ description: 'The payment was made.' }),
          declined: codes.meta({ description: 'The payment was not made.' }),
          pending: codes.meta({ description: 'The payment is under way.' }),
        })
        .meta({ description: 'Of a payment in the answer to a query.' }),
      return_status: z
        .object({
          success: codes.meta({ description: 'It was done.' }),
          failed: codes.meta({ description: 'It was not done.' }),
        })
        .meta({ description: 'Of an answer as a whole.' }),
      refund_status: z
        .object({
          success: codes.meta({ description: 'It was done.' }),
          failed: codes.meta({ description: 'It was not done.' }),
        })
        .meta({ description: 'Of a refund.' }),
    })
    .meta({ description: 'What the gateway’s codes mean. A code that stands in no list is unknown.' }),
});
export type ProfileAnswer = z.infer<typeof profileAnswer>;
