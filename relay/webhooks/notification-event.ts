import type { NotificationReceived } from '../../shared/api/event.ts';
import { maskMessage } from '../../shared/card-data/message.ts';
import type { OrderRecord } from '../../shared/gateway/query.ts';
import { sha256 } from '../base/keys.ts';
import type { Context } from '../store/context.ts';
import type { NewEvent } from '../store/event.ts';
import type { WaitingNotice } from '../store/notification.ts';
import { newEvent } from './new-event.ts';

/** The webhook of what the gateway wrote to a payment's notify_url. The same bytes again are the same webhook. */
export function notificationReceived(
  context: Context,
  { account, subject, sha256: hash, notice: { verified, fields } }: WaitingNotice,
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

/** What the shop hears of a later charge of a contract that nobody notified us of. */
export function laterCharge(session_id: string, charge: OrderRecord): NotificationReceived {
  return { kind: 'payment', session_id, verified: false, fields: {}, records: recordsWithoutCards([charge]) };
}

function recordsWithoutCards(records: readonly OrderRecord[]): OrderRecord[] {
  return records.map((record) => maskMessage(record));
}
