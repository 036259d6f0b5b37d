import { z } from 'zod';
import { advices } from '../../shared/checkout/status.ts';
import { operationNames, operations } from '../../shared/gateway/operations.ts';

const codes = z.array(z.string());

const success = (listed: string[]) => z.strictObject({ success: codes }).default({ success: listed });

/** What the gateway's numeric codes mean (§3, §7). The spec gives none of it: the defaults are the sandbox's meaning. */
const codeBook = z.strictObject({
  order_status: z.strictObject({ approved: codes, declined: codes }).default({ approved: ['1'], declined: ['0'] }),
  result_info: z
    .strictObject({
      success: codes,
      /** What a shopper can do after a decline, by its code; codes without an entry advise another card. */
      advice: z.record(z.string(), z.enum(advices)).default({}),
    })
    .default({
      success: ['0000'],
      advice: { '2001': 'contact_bank', '2002': 'try_another_card', '2003': 'check_details', '2004': 'check_details' },
    }),
  payment_status: z
    .strictObject({ approved: codes, declined: codes, pending: codes.default([]) })
    .default({ approved: ['3000'], declined: ['4100'], pending: [] }),
  return_status: success(['1']),
  refund_status: success(['1']),
  refund_message: success(['V0000']),
  review_status: success(['1']),
  capture_status: success(['1']),
  cancel_status: success(['1']),
  recurring_status: z.strictObject({ active: codes, inactive: codes }).default({ active: ['1'], inactive: [] }),
  payout_status: z.strictObject({ completed: codes, failed: codes }).default({ completed: ['COMPLETED'], failed: [] }),
});
export type CodeBook = z.infer<typeof codeBook>;

const verify = z.enum(['required', 'if_present', 'off']);

/** All that the spec leaves open about a gateway, with the values that the sandbox has. */
export const profile = z.strictObject({
  /** How `encryption_data` is made (§5.4): `canonical` is HMAC-SHA256 over the canonical JSON of the message. */
  signing: z.strictObject({ scheme: z.literal('canonical') }).default({ scheme: 'canonical' }),
  /** Whose answers must be signed (§5.2). */
  verify: z
    .strictObject(Object.fromEntries(operationNames.map((name) => [name, verify.default(operations[name].verify)])))
    .prefault({}),
  codes: codeBook.prefault({}),
  /** The wire name of the field that the spec prints as "the service". */
  service_field: z
    .string()
    .min(1)
    .refine((name) => name === 'service' || !isTaken(name), 'is the name of another field of a payment')
    .default('service'),
  /** Between several values in one form parameter (§4.6). */
  list_separator: z.string().min(1).default(','),
  /** The Content-Type of JSON operations (§4.6). */
  json_content_type: z.string().min(1).default('application/json'),
  /** Filters of which a query must have one whole group (§4.6). */
  query_requires: z
    .array(z.array(z.enum(['orders', 'trades', 'order_status', 'platform_source', 'query_start', 'query_end'])).min(1))
    .default([['orders'], ['trades'], ['query_start', 'query_end']]),
  /** The body that acknowledges a notification (§6). */
  notification_ack: z.string().default('OK'),
});
export type Profile = z.infer<typeof profile>;

function isTaken(name: string): boolean {
  return name in operations.direct_payment.request.shape || name in operations.apm_payment.request.shape;
}
