import type { FaultName } from '../faults/faults.ts';
import { maskText } from '../messages/mask.ts';
import { cut, Log, MAX_NAME_LENGTH } from '../messages/messages.ts';
import type { NotificationShape } from './notices.ts';

/** One request to a notify_url: the receiver's answer, or why there was none. */
export type Try = { at: Date } & ({ status: number; body: string } | { failure: string });

/** `waiting`: for its first or next try; `dropped`: not sent, because of a fault or because it cannot be sent. */
export type NotificationState =
  | { state: 'waiting' }
  | { state: 'delivered' }
  | { state: 'given_up' }
  | { state: 'dropped'; why: string };

/** One notification, ready to be shown: masked, with its address without the token, and cut if it is long. */
export type LoggedNotification = {
  readonly id: number;
  readonly at: Date;
  readonly kind: string;
  readonly order_no: string;
  readonly url: string;
  readonly shape: NotificationShape;
  readonly body: string;
  readonly faults: readonly FaultName[];
  readonly tries: readonly Try[];
  readonly outcome: NotificationState;
};

/** Records the outcome of a notification. */
export type Progress = { tried(one: Try): void; ended(outcome: NotificationState): void };

/** The last notifications that the gateway sent or is about to send. Only the receivers' answers are masked here. */
export class NotificationLog extends Log<Omit<LoggedNotification, 'id'>> {
  add(made: Omit<LoggedNotification, 'id' | 'tries' | 'outcome'>): Progress {
    const change = this.keep({
      ...made,
      order_no: cut(made.order_no, MAX_NAME_LENGTH),
      url: cut(made.url, MAX_NAME_LENGTH),
      body: cut(made.body),
      tries: [],
      outcome: { state: 'waiting' },
    });
    return {
      tried: (one) => change(({ tries }) => ({ tries: [...tries, masked(one)] })),
      ended: (outcome) => change(() => ({ outcome })),
    };
  }
}

function masked(one: Try): Try {
  return 'body' in one ? { ...one, body: cut(maskText(one.body), MAX_NAME_LENGTH) } : one;
}
