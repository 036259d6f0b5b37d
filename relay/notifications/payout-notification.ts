import { maskMessage } from '../../shared/card-data/message.ts';
import { payoutAnswer } from '../../shared/gateway/payout/payout.ts';
import type { Message } from '../../shared/gateway/signature.ts';
import type { Account } from '../config/load.ts';
import type { CodeBook } from '../gateway/code-book.ts';
import { isSigned } from '../gateway/signing/signer.ts';
import { isOpen, type Operation } from '../payments/operations/operation.ts';
import { isOlder, isPayoutOf, payoutOutcome } from '../payments/operations/outcome.ts';
import type { Context } from '../store/context.ts';
import { commitOperation, wakeDelivery } from '../webhooks/commit.ts';
import { type PayoutNotification, payoutNotified, payoutUpdated } from '../webhooks/operation-events.ts';

/**
 * Processes a message to a payout's notify_url. A payout cannot be queried, so the notification itself changes it, if it is
 * signed under the profile and about this payout. Anything else is only passed on. Throws StoreError.
 */
export async function receivePayoutNotification(
  context: Context,
  account: Account,
  payout: Operation,
  received: PayoutNotification,
): Promise<void> {
  const { message } = received;
  const own = message && isAbout(message, account, payout) ? message : undefined;
  const verified = own !== undefined && (await isSigned(context.signer, 'payout', own, account.signingSecret));
  const done = verified ? await applyTo(context, payout.id, own) : false;
  context.log.info({ operation: payout.id, bytes: received.bytes, verified }, 'payout notification received');
  if (done) return;
  const events = payoutNotified(context, payout, received, verified);
  await context.store.addEvents(events);
  wakeDelivery(context, events);
}

/** True for a message that names no other account, and this payout by its request_id, its transaction_id or both. */
function isAbout(message: Message, account: Account, { request_id, request, state }: Operation): boolean {
  const known = { request_id, transaction_id: 'answer' in state ? state.answer?.transaction_id : undefined };
  const named = [
    [message.request_id, known.request_id],
    [message.transaction_id, known.transaction_id],
  ].filter(([given, own]) => isText(given) && isText(own));
  return (
    (message.merchant_id || account.merchant_id) === account.merchant_id &&
    (message.account_id || account.account_id) === account.account_id &&
    named.length > 0 &&
    isPayoutOf(request, message) &&
    named.every(([given, own]) => isText(given) && isText(own) && given.toLowerCase() === own.toLowerCase())
  );
}

/** Writes what a signed notification says of a payout, if it says anything new. False when it says no status. */
async function applyTo(context: Context, id: string, message: Message): Promise<boolean> {
  // Another notification, or the answer itself, may write at the same time.
  for (;;) {
    const payout = await context.store.operation(id);
    if (!payout || payout.state.status === 'not_sent' || !isText(message.status)) return false;
    const next = afterNotification(payout, message, context.config.gateway.profile.codes, context.now());
    if (!next) return true;
    const events = payoutUpdated(context, payout, next);
    if (await commitOperation(context, { operation: next, events })) return true;
  }
}

/** The payout with what the notification tells; undefined where it is old, or known already. */
function afterNotification(payout: Operation, message: Message, codes: CodeBook, now: Date): Operation | undefined {
  const before: Message = 'answer' in payout.state ? (payout.state.answer ?? {}) : {};
  const answer = { ...before, ...maskMessage(readable(message)) };
  if (isOlder(message, before, codes) || JSON.stringify(answer) === JSON.stringify(before)) return undefined;
  const outcome = payoutOutcome(answer, codes);
  const settlement = 'settlement' in payout.state ? payout.state.settlement : undefined;
  // A person's finding is kept until the gateway says how the payout ended.
  if (payout.state.status === 'settled' && outcome === 'unknown') return undefined;
  const { settled_at: _, ...rest } = payout;
  const next: Operation = {
    ...rest,
    version: payout.version + 1,
    state: { status: 'answered', answer, items: [outcome], ...(settlement ? { settlement } : {}) },
  };
  return isOpen(next) ? next : { ...next, settled_at: now.toISOString() };
}

/** A form or XML has only texts: what the answer has as a number or object stays what the answer said. */
function readable({ encryption_data: _, ...message }: Message): Message {
  const shape: Readonly<Record<string, { safeParse(value: unknown): { success: boolean } } | undefined>> =
    payoutAnswer.shape;
  const entries = Object.entries(message);
  return Object.fromEntries(entries.filter(([field, value]) => shape[field]?.safeParse(value).success ?? true));
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
