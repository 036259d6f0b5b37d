import { z } from 'zod';

const codes = z.array(z.string());

/**
 * What `GET /v1/profile` answers: what it takes to read the gateway's own records, which `POST /v1/query` and
 * `POST /v1/refund/search` give back as they are. A code that no list has means nothing that is known.
 */
export const profileAnswer = z.object({
  /** The time zone of the gateway's dates, by its IANA name. */
  gateway_time_zone: z.string(),
  codes: z.object({
    payment_status: z.object({ approved: codes, declined: codes, pending: codes }),
    return_status: z.object({ success: codes, failed: codes }),
    refund_status: z.object({ success: codes, failed: codes }),
  }),
});
export type ProfileAnswer = z.infer<typeof profileAnswer>;
