import { z } from 'zod';
import { advices } from '../../shared/checkout/status.ts';
import { operationNames, operations } from '../../shared/gateway/operations.ts';
import { identifier, isPlainText } from '../../shared/gateway/text.ts';
import { signing, signingProblems } from './signing/signing-setting.ts';
import { isTimeZone } from './time-zone.ts';

// An empty code would match an answer without a code.
const codes = z.array(z.string().min(1, 'must not be empty'));

const success = (listed: string[]) => z.strictObject({ success: codes }).default({ success: listed });

/** Any other code is unknown: an operation that may have been carried out must not be repeated. */
const successOrFailure = (succeeded: string[], failed: string[]) =>
  z.strictObject({ success: codes, failed: codes.default([]) }).default({ success: succeeded, failed });

/** The meaning of the gateway's numeric codes (§3, §7). The spec does not define it: the defaults are those of the sandbox. */
export const codeBook = z
  .strictObject({
    order_status: z
      .strictObject({ approved: codes, declined: codes, pending: codes.default([]) })
      .prefault({ approved: ['1'], declined: ['0'] }),
    result_info: z
      .strictObject({
        success: codes,
        /** The advice for the shopper after a decline, by its code. Codes without an entry advise another card. */
        advice: z.record(z.string(), z.enum(advices)).default({}),
      })
      .default({
        success: ['0000'],
        advice: {
          '2001': 'contact_bank',
          '2002': 'try_another_card',
          '2003': 'check_details',
          '2004': 'check_details',
          '2005': 'check_details',
        },
      }),
    /** `held` is a payment that waits for a review. The lists after it are of changes after the approval. */
    payment_status: z
      .strictObject({
        ...{ approved: codes, declined: codes, pending: codes.default([]), held: codes.default([]) },
        ...{ charged_back: codes.default([]), refunded: codes.default([]) },
        ...{ partially_refunded: codes.default([]), cancelled: codes.default([]) },
      })
      .prefault({ approved: ['3000'], declined: ['4100'] }),
    /** The `status` of an entry of a record's `fraud_check_result` that holds its payment for a review. */
    fraud_check: z.strictObject({ rejected: codes }).default({ rejected: ['REJECT'] }),
    /** The values of `query_result` by which the gateway states that it has no such order. */
    query_result: z.strictObject({ not_found: codes }).default({ not_found: [] }),
    return_status: successOrFailure(['1'], ['0']),
    refund_status: successOrFailure(['1'], ['0']),
    refund_message: success(['V0000']),
    review_status: successOrFailure(['1'], ['0']),
    capture_status: successOrFailure(['1'], ['0']),
    cancel_status: successOrFailure(['1'], ['0']),
    /**
     * The values of `review_flag` (§2.6) that reject a payment, while any other accepts it, and those that accept it. Of each, the relay
     * sends the first one for a decision.
     */
    review_flag: z
      .strictObject({ accept: codes.default([]), reject: codes })
      .default({ accept: ['ACCEPT'], reject: ['REJECT'] }),
    recurring_status: z.strictObject({ active: codes, inactive: codes }).default({ active: ['1'], inactive: [] }),
    payout_status: z
      .strictObject({ completed: codes, failed: codes })
      .default({ completed: ['COMPLETED'], failed: [] }),
  })
  .superRefine((book, context) => {
    for (const [group, lists] of Object.entries(book)) {
      for (const { list, message } of contradictions(lists)) {
        context.addIssue({ code: 'custom', path: [group, list], message });
      }
    }
  });
export type CodeBook = z.infer<typeof codeBook>;

/** Pairs of lists that may have a code in common: the first one decides. */
const narrower: ReadonlySet<string> = new Set(['held approved', 'charged_back declined', 'cancelled declined']);

/** A code in two lists of one group has two meanings. */
function* contradictions(group: object) {
  const meanings = new Map<string, string>();
  for (const [list, listed] of codeLists(group)) {
    for (const code of listed) {
      const other = meanings.get(code) ?? list;
      if (other !== list && !narrower.has(`${list} ${other}`))
        yield { list, message: `"${code}" is listed as ${other} too` };
      meanings.set(code, list);
    }
  }
}

/** A code book without any codes, for gateways whose codes must not be guessed. */
export const emptyCodes: CodeBook = {
  order_status: { approved: [], declined: [], pending: [] },
  result_info: { success: [], advice: {} },
  payment_status: {
    ...{ approved: [], declined: [], pending: [], held: [] },
    ...{ charged_back: [], refunded: [], partially_refunded: [], cancelled: [] },
  },
  fraud_check: { rejected: ['REJECT'] },
  query_result: { not_found: [] },
  return_status: { success: [], failed: [] },
  refund_status: { success: [], failed: [] },
  refund_message: { success: [] },
  review_status: { success: [], failed: [] },
  capture_status: { success: [], failed: [] },
  cancel_status: { success: [], failed: [] },
  review_flag: { accept: [], reject: [] },
  recurring_status: { active: [], inactive: [] },
  payout_status: { completed: [], failed: [] },
};

/** Groups that a gateway may have no code for. */
const optional: ReadonlySet<string> = new Set([
  'query_result',
  'review_flag',
  'fraud_check',
] satisfies (keyof CodeBook)[]);

/** The groups without codes: what they describe is unknown. */
export function groupsWithoutCodes(book: CodeBook): string[] {
  return Object.entries(book).flatMap(([group, lists]) =>
    optional.has(group) || codeLists(lists).some(([, list]) => list.length > 0) ? [] : [group],
  );
}

/** The lists of a group by their names; `advice` is none. */
function codeLists(group: object): [name: string, codes: readonly string[]][] {
  return Object.entries(group).filter((entry) => Array.isArray(entry[1]));
}

const verify = z.enum(['required', 'if_present', 'off']);

/** The order of day, month and year in `birth_date`. */
export const birthDateForms = [
  'DD-MM-YYYY',
  'YYYY-MM-DD',
  'MM-DD-YYYY',
  'DD/MM/YYYY',
  'MM/DD/YYYY',
  'YYYY/MM/DD',
  'YYYYMMDD',
] as const;

/** Statuses after which the gateway may have the message: it timed out, it already has the message, or the relay disconnected. */
const mayBeTaken = [408, 409, 499];

/** The values that a query may request (§4.1). */
export const queryFilters = [
  'orders',
  'trades',
  'order_status',
  'platform_source',
  'query_start',
  'query_end',
] as const;

const returnMs = z.int().min(1).max(600_000, 'must be ten minutes (600000) at the most');

/** The properties of a gateway that the spec leaves open. The defaults are those of the sandbox. */
export const profile = z
  .strictObject({
    /** The signature in `encryption_data` (§5.4): `canonical` is HMAC-SHA256 over the canonical JSON of the message. */
    signing: signing.default({ scheme: 'canonical' }),
    /** The operations whose answers must be signed (§5.2). */
    verify: z
      .strictObject(Object.fromEntries(operationNames.map((name) => [name, verify.default(operations[name].verify)])))
      .prefault({}),
    codes: codeBook.prefault({}),
    /** The wire name of the field that the spec prints as "the service". */
    service_field: identifier
      .refine((name) => name === 'service' || !isTaken(name), 'is the name of another field of a payment')
      .default('service'),
    /** The separator of several values in one form parameter (§4.6). */
    list_separator: z
      .string()
      .min(1, 'must not be empty')
      .refine(isPlainText, 'must not contain control characters')
      .default(','),
    /** The Content-Type of JSON operations (§4.6). */
    json_content_type: z
      .string()
      .regex(
        /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+( *;[\x20-\x7e]*)?$/,
        'must be a media type on one line such as application/json; charset=utf-8',
      )
      .default('application/json'),
    /** Groups of filters (§4.6): a query must have one whole group. An empty group requires none. */
    query_requires: z
      .array(z.array(z.enum(queryFilters)))
      .min(1, 'must have at least one group of filters; [[]] if the gateway needs none')
      .default([['orders'], ['trades'], ['query_start', 'query_end']]),
    /** The meaning of a query's answer without `orders_list` (§4.1): nothing, or that nothing was found. */
    query_without_list: z.enum(['not_counted', 'empty']).default('not_counted'),
    /** The form of the shopper's `time_zone` in a payment: its IANA name, or the minutes that UTC is ahead of it. */
    time_zone: z.enum(['iana', 'offset']).default('iana'),
    /** The IANA time zone of `query_start` and `query_end` (§4.1). */
    gateway_time_zone: z
      .string()
      .refine(isTimeZone, 'must be an IANA time zone such as America/Sao_Paulo or UTC')
      .default('UTC'),
    /** The unit of a payment's `checkout_time`, which counts from 1970. */
    checkout_time: z.enum(['seconds', 'milliseconds']).default('seconds'),
    /** HTTP statuses of a gateway that did not take the message (§7). */
    not_taken_statuses: z
      .array(
        z
          .int()
          .min(400, 'must be a status from 400 to 499')
          .max(499, 'must be a status from 400 to 499')
          .refine((status) => !mayBeTaken.includes(status), 'may come where the message was taken'),
      )
      .default([400, 401, 403, 404, 429]),
    expiration_year: z.enum(['YYYY', 'YY']).default('YYYY'),
    birth_date: z.enum(birthDateForms).default('DD-MM-YYYY'),
    /** The `resolve.return_ms` of single alternative methods, by their names, in milliseconds. */
    return_ms: z.record(z.string().min(1), returnMs).default({}),
    /** How the payments of a method are captured: `card`, which covers saved cards, or an alternative method’s name. */
    capture: z.record(z.string().min(1), z.enum(['automatic', 'manual'])).default({}),
    /** The days after which an authorised payment that was not captured needs a person: the gateway soon releases the money. */
    authorisation_days: z.int().min(1).max(365).default(5),
    /** The body that acknowledges a notification (§6). */
    notification_ack: z.string().max(1000).default('OK'),
  })
  .superRefine((settings, context) => {
    for (const { path, message } of signingProblems(settings)) context.addIssue({ code: 'custom', path, message });
  });
export type Profile = z.infer<typeof profile>;

function isTaken(name: string): boolean {
  const { direct_payment, apm_payment } = operations;
  return [direct_payment, apm_payment].some(({ request }) => Object.hasOwn(request.shape, name));
}
