import type { Operation } from '../../../shared/gateway/operations.ts';
import type { samples } from '../examples/operations.ts';

/** What each operation does, in plain words. */
export const operationTexts: Record<keyof typeof samples, { summary: string; description: string }> = {
  query: {
    summary: 'Query payments',
    description:
      'Asks the gateway for payments by your order numbers, by transaction ids, or by a span of time. The answer to a span of time may have up to 64 MiB: some 50,000 payments. A long one is not kept under an `Idempotency-Key`: a repetition asks the gateway again. The gateway answers only addresses that it has registered.',
  },
  refund: {
    summary: 'Refund payments',
    description:
      'Gives money back, all of it or a part, of one payment or many. `amount` is what the payment was, `refund_amount` what goes back; equal refunds in one request are legitimate. The relay never lets the refunds that it knows of exceed the payment.',
  },
  refund_search: {
    summary: 'Search refunds',
    description: 'Asks the gateway for refunds by order, by the gateway’s reference or by your own.',
  },
  review: {
    summary: 'Decide held payments',
    description: 'Accepts or rejects payments that are held for review. The gateway says which flags it takes.',
  },
  capture: {
    summary: 'Capture payments',
    description: 'Takes the money of payments that were authorised.',
  },
  cancel: {
    summary: 'Cancel payments',
    description: 'Gives up payments that were authorised and not captured.',
  },
  subscription_cancel: {
    summary: 'End a subscription',
    description:
      'Ends a contract at once. It is not charged again, but for periods that have begun: those are still charged at their end unless they are cancelled by hand.',
  },
  payout: {
    summary: 'Make a payout',
    description:
      'Sends money to a beneficiary. Give `beneficiary` or `beneficiary_id`, and an amount with its currency: `payment_amount` is what arrives, `source_amount` what you give. `request_id` names this payout alone; a second payout with it is refused.',
  },
};

/** How many entries a request takes, from the operation table (§8). */
export function limitText({ lists, needsFilter }: Operation): string {
  const names = Object.keys(lists).map((list) => `\`${list}\``);
  const [limit] = Object.values(lists);
  if (limit === undefined) return '';
  const together = names.length > 1 ? ' together' : '';
  const filter = needsFilter === undefined ? '' : ' Something to look for must be named.';
  return `At most ${limit} entries in ${names.join(', ')}${together}. More are refused as a whole (\`batch_too_large\`).${filter}`;
}
