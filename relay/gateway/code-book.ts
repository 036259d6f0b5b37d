import { z } from 'zod';
import { advices } from '../../shared/checkout/status.ts';

// An empty code would stand for an answer that has none at all.
const codes = z.array(z.string().min(1, 'must not be empty'));

const success = (listed: string[]) => z.strictObject({ success: codes }).default({ success: listed });

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
        },
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
    payout_status: z
      .strictObject({ completed: codes, failed: codes })
      .default({ completed: ['COMPLETED'], failed: [] }),
  })
  .superRefine((book, context) => {
    for (const group of ['order_status', 'payment_status', 'recurring_status', 'payout_status'] as const) {
      for (const { list, message } of contradictions(book[group])) {
        context.addIssue({ code: 'custom', path: [group, list], message });
      }
    }
  });
export type CodeBook = z.infer<typeof codeBook>;

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
