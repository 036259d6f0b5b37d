import type { Message } from '../../shared/gateway/signature.ts';
import { sha256 } from '../base/keys.ts';
import type { Context } from '../context/context.ts';
import { identifyingFields } from '../gateway/identifying-fields.ts';
import {
  gaveUp,
  isCompleted,
  isOpen,
  isWatched,
  knownItems,
  needsPerson,
  type StoredOperation,
} from '../payments/operations/operation.ts';
import type { NewEvent } from '../store/facets/outbox.ts';
import { newEvent } from './new-event.ts';
import { completedAnswer, operationAnswer } from './operation-answer.ts';

/**
 * The webhooks that tell of an operation's change: that it is not known, that the gateway is asked no more, so that a person
 * is needed, that it is known, and what it did. That a refused refund did not happen was reported when it was refused.
 */
export function operationEvents(context: Context, before: StoredOperation, after: StoredOperation): NewEvent[] {
  return [...changeEvents(context, before, after), ...completedEvents(context, before, after)];
}

/** The webhook of what an operation did, once that is known. */
function completedEvents(context: Context, before: StoredOperation, after: StoredOperation): NewEvent[] {
  return isCompleted(before, after) ? newEvent(context, after, 'operation.completed', completedAnswer(after)) : [];
}

function changeEvents(context: Context, before: StoredOperation, after: StoredOperation): NewEvent[] {
  if ((needsPerson(after) && !needsPerson(before)) || gaveUp(before, after)) {
    return newEvent(context, after, 'operation.unknown', operationAnswer(after));
  }
  const isSettled = isOpen(before) && !isOpen(after) && after.state.status !== 'refused';
  if (isSettled || isCorrected(before, after) || isFoundLate(before, after)) {
    return newEvent(context, after, 'operation.settled', operationAnswer(after));
  }
  return [];
}

/** The gateway's answer came after a person had said otherwise. */
function isCorrected(before: StoredOperation, after: StoredOperation): boolean {
  if (before.state.status !== 'settled' || after.state.status !== 'answered') return false;
  return before.state.settlement.items.join() !== after.state.items.join();
}

/** A search shows what counted as not made. */
function isFoundLate(before: StoredOperation, after: StoredOperation): boolean {
  return isWatched(before) && !isOpen(after) && knownItems(before)?.join() !== knownItems(after)?.join();
}

/** The webhooks that a payout has moved on, and perhaps ended or needs a person, by the gateway's signed notification. */
export function payoutUpdated(context: Context, before: StoredOperation, payout: StoredOperation): NewEvent[] {
  const updated = newEvent(context, payout, 'payout.updated', operationAnswer(payout));
  const isForPerson = needsPerson(payout) && !needsPerson(before);
  const unknown = isForPerson ? newEvent(context, payout, 'operation.unknown', operationAnswer(payout)) : [];
  return [...updated, ...unknown, ...completedEvents(context, before, payout)];
}

/** A notification about a payout: its size and SHA-256 in hex, and what it says, where that can be read. */
export type PayoutNotification = { bytes: number; sha256: string; message: Message | undefined };

/** The fields by which a shop may recognise what a notification is about. */
const hints = ['request_id', 'transaction_id', 'short_reference_id', 'status'];

/** The webhook of a message to a payout's notify_url. The same notification twice is one webhook. */
export function payoutNotified(
  context: Context,
  payout: StoredOperation,
  received: PayoutNotification,
  verified: boolean,
): NewEvent[] {
  const fields = Object.entries(identifyingFields(received.message ?? {})).filter(([field]) => hints.includes(field));
  const notification = { sha256: received.sha256, bytes: received.bytes, ...Object.fromEntries(fields) };
  const data = { ...operationAnswer(payout), verified, notification };
  return newEvent(context, payout, 'payout.notified', data, `msg_${sha256(`${payout.id} ${received.sha256}`)}`);
}
