import type { Operation } from '../../shared/gateway/operations.ts';
import type { samples } from './examples/operations.ts';

/** What each operation does, in plain words. */
export const operationTexts: Record<keyof typeof samples, { summary: string; description: string }> = {
  query: {
    summary: 'Query payments',
    description:
      'Queries the gateway for payments by your order numbers, by transaction ids, or by a period. The answer for a period can have up to 64 MiB, about 50,000 payments. A long answer is not stored under an `Idempotency-Key`: a repetition queries the gateway again. The gateway answers only addresses that it has registered.',
  },
  refund: {
    summary: 'Refund payments',
    description:
      'Refunds one or more payments, fully or in part. `amount` is the amount of the payment, `refund_amount` the amount to refund. Equal refunds in one request are allowed. The relay refuses refunds that, together with those that it knows, exceed the payment.',
  },
  refund_search: {
    summary: 'Search refunds',
    description: 'Searches for refunds at the gateway, by order, by the gateway’s reference or by your own.',
  },
  review: {
    summary: 'Decide on held payments',
    description: 'Accepts or rejects payments that are held for review. The gateway’s operator defines the flags.',
  },
  capture: {
    summary: 'Capture payments',
    description: 'Captures payments that were authorised.',
  },
  cancel: {
    summary: 'Cancel payments',
    description: 'Cancels payments that were authorised and not captured.',
  },
  subscription_cancel: {
    summary: 'End a subscription',
    description:
      'Ends a contract at once. It is not charged again, except for periods that have begun: the gateway charges those at their end unless a person cancels them.',
  },
  payout: {
    summary: 'Make a payout',
    description:
      'Sends money to a beneficiary. Send `beneficiary` or `beneficiary_id`, and an amount with its currency: `payment_amount` is the amount that arrives, `source_amount` the amount that you pay. `request_id` identifies this payout; the relay refuses a second payout with it.',
  },
};

/** How many entries a request takes, from the operation table (§8). */
export function limitText({ lists, needsFilter }: Operation): string {
  const names = Object.keys(lists).map((list) => `\`${list}\``);
  const [limit] = Object.values(lists);
  if (limit === undefined) return '';
  const together = names.length > 1 ? ' together' : '';
  const filter = needsFilter === undefined ? '' : ' At least one filter must be given.';
  return `At most ${limit} entries in ${names.join(', ')}${together}. The relay refuses a larger request as a whole (\`batch_too_large\`).${filter}`;
}
