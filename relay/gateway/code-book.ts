import { z } from 'zod';
import { advices } from '../../shared/checkout/status.ts';

// An empty code would stand for an answer that has none at all.
const codes = z.array(z.string().min(1, 'must not be empty'));

const success = (listed: string[]) => z.strictObject({ success: codes }).default({ success: listed });

/** Any other code is unknown: what may have happened must not be done again. */
const successOrFailure = (succeeded: string[], failed: string[]) =>
  z.strictObject({ success: codes, failed: codes.default([]) }).default({ success: succeeded, failed });

/** What the gateway's numeric codes mean (§3, §7). The spec gives none of it: the defaults are the sandbox's meaning. */
export const codeBook = z
  .strictObject({
    order_status: z.strictObject({ approved: codes, declined: codes }).default({ approved: ['1'], declined: ['0'] }),
    result_info: z
      .strictObject({
        success: codes,
        /** What a shopper can do after a decline, by its code; codes without an entry advise another card. */
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
    payment_status: z
      .strictObject({ approved: codes, declined: codes, pending: codes.default([]) })
      .default({ approved: ['3000'], declined: ['4100'], pending: [] }),
    /** What a record's `query_result` says where it is no record: the gateway tells so that it knows no such order. */
    query_result: z.strictObject({ not_found: codes }).default({ not_found: [] }),
    return_status: successOrFailure(['1'], ['0']),
    refund_status: successOrFailure(['1'], ['0']),
    refund_message: success(['V0000']),
    review_status: successOrFailure(['1'], ['0']),
    capture_status: successOrFailure(['1'], ['0']),
    cancel_status: successOrFailure(['1'], ['0']),
    recurring_status: z.strictObject({ active: codes, inactive: codes }).default({ active: ['1'], inactive: [] }),
    payout_status: z
      .strictObject({ completed: codes, failed: codes })
      .default({ completed: ['COMPLETED'], failed: [] }),
  })
  .superRefine((book, context) => {
    for (const group of contradictable) {
      for (const { list, message } of contradictions(book[group])) {
        context.addIssue({ code: 'custom', path: [group, list], message });
      }
    }
  });
export type CodeBook = z.infer<typeof codeBook>;

const contradictable = [
  'order_status',
  'payment_status',
  'return_status',
  'refund_status',
  'review_status',
  'capture_status',
  'cancel_status',
  'recurring_status',
  'payout_status',
] as const;

/** A code that two lists of one group hold has two meanings. */
function* contradictions(group: Readonly<Record<string, readonly string[]>>) {
  const meanings = new Map<string, string>();
  for (const [list, listed] of Object.entries(group)) {
    for (const code of listed) {
      const other = meanings.get(code);
      if (other !== undefined && other !== list) yield { list, message: `"${code}" is listed as ${other} too` };
      meanings.set(code, list);
    }
  }
}

/** A code book that gives no code a meaning, for gateways whose codes nobody must guess. */
export const emptyCodes: CodeBook = {
  order_status: { approved: [], declined: [] },
  result_info: { success: [], advice: {} },
  payment_status: { approved: [], declined: [], pending: [] },
  query_result: { not_found: [] },
  return_status: { success: [], failed: [] },
  refund_status: { success: [], failed: [] },
  refund_message: { success: [] },
  review_status: { success: [], failed: [] },
  capture_status: { success: [], failed: [] },
  cancel_status: { success: [], failed: [] },
  recurring_status: { active: [], inactive: [] },
  payout_status: { completed: [], failed: [] },
};

/** Groups that a gateway may have no code for. */
const optional: ReadonlySet<string> = new Set(['query_result'] satisfies (keyof CodeBook)[]);

/** The groups in which no code has a meaning: whatever they tell of is unknown. */
export function groupsWithoutCodes(book: CodeBook): string[] {
  return Object.entries(book).flatMap(([group, lists]) =>
    optional.has(group) || Object.values(lists).some((list) => Array.isArray(list) && list.length > 0) ? [] : [group],
  );
}
