import { operations } from '../../../shared/gateway/operations.ts';
import type { PayoutRequest } from '../../../shared/gateway/payout/payout.ts';
import { shortReference, transactionId } from '../base/ids.ts';
import { InvalidInput } from '../base/refusals.ts';
import { type Payout, type PayoutState, payoutAmounts, payoutRecord, sameRequest } from '../books/payouts.ts';
import type { Notify } from '../notifications/notices.ts';
import { type Handler, handler, type Parts } from './handler.ts';

const PROCESSING_MS = 60_000;

const completed: PayoutState = { status: 'COMPLETED' };
const failed: PayoutState = {
  status: 'FAILED',
  failure_type: 'BENEFICIARY_BANK',
  failure_reason: 'The bank of the beneficiary refused the payout',
};

/** Keywords in reference or client_data that change the course of a payout. The first one counts. */
export const payoutKeywords = {
  'sandbox:pending-fail': { title: 'PROCESSING, and FAILED after a minute', pending: true, end: failed },
  'sandbox:pending': { title: 'PROCESSING, and COMPLETED after a minute', pending: true, end: completed },
  'sandbox:fail': { title: 'FAILED at once', pending: false, end: failed },
} as const satisfies Record<string, { title: string; pending: boolean; end: PayoutState }>;

/**
 * §2.9 → §2.10: makes a payout, at once unless a keyword says otherwise. A repeated request is answered with the same
 * payout; another request with the same request_id is invalid.
 */
export function payout(parts: Parts): Handler {
  return handler(operations.payout.request, ({ encryption_data: _, ...request }) => {
    const known = parts.books.payouts.withRequestId(request, request.request_id);
    if (known && !sameRequest(known.request, request)) {
      throw new InvalidInput('request_id: names another payout already');
    }
    return { fields: payoutRecord(known ?? create(request, parts)) };
  });
}

function create(request: Omit<PayoutRequest, 'encryption_data'>, parts: Parts): Payout {
  const { books, clock, random, notifier } = parts;
  if (!request.beneficiary && !request.beneficiary_id)
    throw new InvalidInput('beneficiary or beneficiary_id is needed');
  // A payout without amounts is refused before it is recorded.
  payoutAmounts(request);
  const { pending, end } = wayOf(request);
  const at = clock.now();
  const created: Payout = {
    transaction_id: transactionId(random),
    short_reference_id: shortReference('PO', random),
    payer_id: shortReference('PY', random),
    request,
    createdAt: at,
    updatedAt: at,
    state: pending ? { status: 'PROCESSING' } : end,
  };
  books.payouts.add(created);
  notifyPayout(notifier.notify, created);
  if (pending) endLater(created, parts);
  return created;
}

/** Ends a payout in progress at its time. */
export function endLater(payout: Payout, { clock, notifier }: Parts): void {
  clock.at(new Date(payout.createdAt.getTime() + PROCESSING_MS), () => {
    payout.state = wayOf(payout.request).end;
    payout.updatedAt = clock.now();
    notifyPayout(notifier.notify, payout);
  });
}

function wayOf({ reference, client_data }: PayoutRequest): { pending: boolean; end: PayoutState } {
  const said = `${reference ?? ''}\n${client_data ?? ''}`;
  const found = Object.entries(payoutKeywords).find(([keyword]) => said.includes(keyword));
  return found?.[1] ?? { pending: false, end: completed };
}

/** Notifies a payout's notify_url of its state, if it has one. */
function notifyPayout(notify: Notify, payout: Payout): void {
  const { merchant_id, account_id, request_id, notify_url } = payout.request;
  if (!notify_url) return;
  const account = { merchant_id, account_id };
  notify({ url: notify_url, account, kind: 'payout', order_no: request_id, fields: payoutRecord(payout) });
}
