import { maskMessage } from '../../shared/card-data/message.ts';
import { payoutAnswer } from '../../shared/gateway/payout/payout.ts';
import type { Message } from '../../shared/gateway/signature.ts';
import { commitOperation, wakeDelivery } from '../commit/commit.ts';
import { type PayoutNotification, payoutNotified, payoutUpdated } from '../commit/operation-events.ts';
import type { Account } from '../config/load.ts';
import type { Context } from '../context/context.ts';
import { isSigned } from '../gateway/signing/signer.ts';
import { isPayoutOf } from '../payments/operations/answered-state.ts';
import { canBeSettled, needsPerson, type StoredOperation } from '../payments/operations/operation.ts';
import { afterPayoutMessage, isIgnoredContradiction } from '../payments/operations/payout-message.ts';

/**
 * Processes a message to a payout's notify_url. A payout cannot be queried, so the notification itself changes it, if it is
 * signed under the profile and about this payout. Anything else is only passed on. Throws StoreError.
 */
export async function receivePayoutNotification(
  context: Context,
  account: Account,
  payout: StoredOperation,
  received: PayoutNotification,
): Promise<void> {
  const { message } = received;
  const own = message && isAbout(message, account, payout) ? message : undefined;
  const verified = own !== undefined && (await isSigned(context.signer, 'payout', own, account.signingSecret));
  const done = verified ? await applyTo(context, payout.id, own, received.sha256) : false;
  context.log.info({ operation: payout.id, bytes: received.bytes, verified }, 'payout notification received');
  if (done) return;
  const events = payoutNotified(context, payout, received, verified);
  await context.store.outbox.add(events);
  wakeDelivery(context, events);
}

/** True for a message that names no other account, and this payout by its request_id, its transaction_id or both. */
function isAbout(message: Message, account: Account, { request_id, request, state }: StoredOperation): boolean {
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

/**
 * Applies a signed notification to a payout, once for the same bytes. False if the notification has no status, or a
 * status that changes nothing although it is not known to be old.
 */
async function applyTo(context: Context, id: string, message: Message, sha256: string): Promise<boolean> {
  // Another notification, or the answer itself, may write at the same time.
  for (;;) {
    const payout = await context.store.operations.get(id);
    if (!payout || payout.state.status === 'not_sent' || !isText(message.status)) return false;
    const { applied = [] } = payout;
    if (applied.includes(sha256)) return true;
    const { codes } = context.config.gateway.profile;
    const now = context.now().toISOString();
    const read = maskMessage(readable(message));
    const state = afterPayoutMessage(payout.state, read, 'notification', codes, now);
    if (!state) return !isIgnoredContradiction(payout.state, read, codes);
    const { settled_at: _, ...rest } = payout;
    const open: StoredOperation = { ...rest, version: payout.version + 1, state, applied: [...applied, sha256] };
    const next = canBeSettled(open) ? open : { ...open, settled_at: now };
    const events = payoutUpdated(context, payout, next);
    if (!(await commitOperation(context, payout, { operation: next, events }))) continue;
    if (needsPerson(next) && !needsPerson(payout)) {
      context.log.error({ operation: id }, 'contradicting payout notifications; check the gateway’s records');
    }
    return true;
  }
}

/** The fields with a type that the answer permits. A form or XML has only texts: fields that are no texts in the answer keep its values. */
function readable({ encryption_data: _, ...message }: Message): Message {
  const shape: Readonly<Record<string, { safeParse(value: unknown): { success: boolean } } | undefined>> =
    payoutAnswer.shape;
  const entries = Object.entries(message);
  return Object.fromEntries(entries.filter(([field, value]) => shape[field]?.safeParse(value).success ?? true));
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
