import type { LoggedMessage } from '../messages/messages.ts';
import type { LoggedNotification } from '../notifications/notification-log.ts';

/** What the reader of the list wants to see; empty texts mean everything. */
export type MessageFilter = { operation: string; order_no: string };

/** One line of the list: a message that came in, or a notification that went out. */
export type Entry =
  | { direction: 'received'; message: LoggedMessage }
  | { direction: 'sent'; notification: LoggedNotification };

/** Every operation's notifications under one name. */
export const NOTIFICATION = 'notification';

/** Reads the filter from the address of the page. */
export function filterOf(query: Readonly<Record<string, unknown>>): MessageFilter {
  const text = (value: unknown) => (typeof value === 'string' ? value.trim() : '');
  return { operation: text(query.operation), order_no: text(query.order_no) };
}

/** The lines that the reader wants to see, newest first. */
export function entriesOf(
  messages: readonly LoggedMessage[],
  notifications: readonly LoggedNotification[],
  { operation, order_no }: MessageFilter,
): Entry[] {
  const received = messages.map((message): Entry => ({ direction: 'received', message }));
  const sent = notifications.map((notification): Entry => ({ direction: 'sent', notification }));
  return [...sent, ...received]
    .filter((entry) => operation === '' || operation === operationOf(entry))
    .filter((entry) => lineOf(entry).order_no.includes(order_no))
    .sort((one, other) => lineOf(other).at.getTime() - lineOf(one).at.getTime());
}

function operationOf(entry: Entry): string {
  return entry.direction === 'received' ? entry.message.operation : NOTIFICATION;
}

function lineOf(entry: Entry): LoggedMessage | LoggedNotification {
  return entry.direction === 'received' ? entry.message : entry.notification;
}
