import { webhookBody } from '../../shared/webhooks/request.ts';
import type { Context } from '../store/context.ts';
import type { EventType, NewEvent } from '../store/event.ts';

/** What a webhook is about: whose it is, and the session or operation whose events are delivered in order. */
export type Subject = { account: string; id: string };

/**
 * The webhook that contains `data` as one event; none if the account has no webhook. `data` goes to the shop as it is, so
 * it must be free of card data. An `id` that is given again is not sent again.
 */
export function newEvent(
  context: Context,
  subject: Subject,
  type: EventType,
  data: object,
  id: string = context.newId('msg'),
): NewEvent[] {
  if (!hasWebhook(context, subject.account)) return [];
  const timestamp = context.now().toISOString();
  const body = webhookBody(type, timestamp, data);
  return [{ id, account: subject.account, subject: subject.id, type, created_at: timestamp, body }];
}

/** Whether an account has a webhook in the config. */
export function hasWebhook(context: Context, account: string): boolean {
  return context.config.accounts.some(({ id, webhook }) => id === account && webhook !== undefined);
}
