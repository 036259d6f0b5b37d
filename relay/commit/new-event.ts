import type { NotificationReceived } from '../../shared/api/webhook.ts';
import { maskMessage } from '../../shared/card-data/message.ts';
import type { OrderRecord } from '../../shared/gateway/query.ts';
import { webhookBody } from '../../shared/webhooks/signing.ts';
import { sha256 } from '../base/keys.ts';
import { DEFAULT_ENDPOINT, isSubscribed } from '../config/endpoints.ts';
import type { Context } from '../context/context.ts';
import type { WaitingNotification } from '../store/facets/notifications.ts';
import type { EventType, NewEvent } from '../store/facets/outbox.ts';

/** The subject of a webhook: its account, and the session or operation whose events are delivered in order. */
type Subject = { account: string; id: string };

/**
 * Returns the event with this `data`, for the account's endpoints with its type. `data` is sent to the shop unchanged, so it must not contain
 * card data. An event with the same `id` is not sent again.
 */
export function newEvent(
  context: Context,
  subject: Subject,
  type: EventType,
  data: object,
  id: string = context.newId('msg'),
): NewEvent[] {
  const timestamp = context.now().toISOString();
  const body = webhookBody(type, timestamp, data);
  const endpoints = endpointsFor(context, subject.account, type);
  return [{ id, account: subject.account, subject: subject.id, type, created_at: timestamp, body, endpoints }];
}

/**
 * The ids of an account's endpoints with a type of events. An account that is not configured may be configured again: its events wait, and
 * are given up after the same time as others.
 */
export function endpointsFor({ config }: Context, account: string, type: EventType): string[] {
  const known = config.accounts.find(({ id }) => id === account);
  if (!known) return [DEFAULT_ENDPOINT];
  return known.webhooks.filter((endpoint) => isSubscribed(endpoint, type)).map(({ id }) => id);
}

/** The webhook of a notification to a payment's notify_url. The same bytes again are the same webhook. */
export function notificationReceived(
  context: Context,
  { account, subject, sha256: hash, notice: { verified, fields } }: WaitingNotification,
  records: readonly OrderRecord[],
): NewEvent[] {
  const data: NotificationReceived = {
    kind: 'payment',
    session_id: subject,
    verified,
    fields,
    records: recordsWithoutCards(records),
  };
  const id = `msg_${sha256(`${subject} ${hash}`)}`;
  return newEvent(context, { account, id: subject }, 'notification.received', data, id);
}

function recordsWithoutCards(records: readonly OrderRecord[]): OrderRecord[] {
  return records.map((record) => maskMessage(record));
}
