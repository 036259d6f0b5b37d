import type { Message } from '../../shared/gateway/signature.ts';
import { sha256 } from '../base/keys.ts';
import type { Context } from '../context/context.ts';
import { identifyingFields } from '../gateway/identifying-fields.ts';
import {
  canBeSettled,
  gaveUp,
  isCompleted,
  isWatched,
  knownItems,
  needsPerson,
  type StoredOperation,
} from '../payments/operations/operation.ts';
import type { NewEvent } from '../store/facets/outbox.ts';
import { newEvent } from './new-event.ts';
import { completedAnswer, operationAnswer } from './operation-answer.ts';

/**
 * The webhooks of an operation's change: its outcome is unknown, its search was given up so that a person is needed, it is settled, or it is
 * completed. A refused refund was reported when it was refused.
 */
export function operationEvents(context: Context, before: StoredOperation, after: StoredOperation): NewEvent[] {
  return [...changeEvents(context, before, after), ...completedEvents(context, before, after)];
}

/** The webhook of the completed operation, once all its outcomes are known. */
function completedEvents(context: Context, before: StoredOperation, after: StoredOperation): NewEvent[] {
  return isCompleted(before, after) ? newEvent(context, after, 'operation.completed', completedAnswer(after)) : [];
}

function changeEvents(context: Context, before: StoredOperation, after: StoredOperation): NewEvent[] {
  if ((needsPerson(after) && !needsPerson(before)) || gaveUp(before, after)) {
    return newEvent(context, after, 'operation.unknown', operationAnswer(after));
  }
  const isSettled = canBeSettled(before) && !canBeSettled(after) && after.state.status !== 'refused';
  if (isSettled || isCorrected(before, after) || isFoundLate(before, after)) {
    return newEvent(context, after, 'operation.settled', operationAnswer(after));
  }
  return [];
}

/** Whether the gateway's answer contradicts an earlier decision of a person. */
function isCorrected(before: StoredOperation, after: StoredOperation): boolean {
  if (before.state.status !== 'settled' || after.state.status !== 'answered') return false;
  return before.state.settlement.items.join() !== after.state.items.join();
}

/** Whether a search shows a refund that counted as not made. */
function isFoundLate(before: StoredOperation, after: StoredOperation): boolean {
  return isWatched(before) && !canBeSettled(after) && knownItems(before)?.join() !== knownItems(after)?.join();
}

/** The webhooks of a payout's change by the gateway's signed notification: its update, its end, or its need of a person. */
export function payoutUpdated(context: Context, before: StoredOperation, payout: StoredOperation): NewEvent[] {
  const updated = newEvent(context, payout, 'payout.updated', operationAnswer(payout));
  const isForPerson = needsPerson(payout) && !needsPerson(before);
  const unknown = isForPerson ? newEvent(context, payout, 'operation.unknown', operationAnswer(payout)) : [];
  return [...updated, ...unknown, ...completedEvents(context, before, payout)];
}

/** A notification about a payout: its size, its SHA-256 in hex, and its message if that can be read. */
export type PayoutNotification = { bytes: number; sha256: string; message: Message | undefined };

/** The fields by which a shop may recognise the subject of a notification. */
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
