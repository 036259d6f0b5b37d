import type { FaultName } from '../faults/faults.ts';
import { maskText } from '../messages/mask.ts';
import { cut, KEPT, MAX_NAME_LENGTH } from '../messages/messages.ts';
import type { NotificationShape } from './notices.ts';

/** One request to a notify_url: what its receiver answered, or why there was no answer. */
export type Try = { at: Date } & ({ status: number; body: string } | { failure: string });

/** `waiting` for its first or next try; `dropped` is one that was never meant, or never able, to go out. */
export type NotificationState =
  | { state: 'waiting' }
  | { state: 'delivered' }
  | { state: 'given_up' }
  | { state: 'dropped'; why: string };

/** One notification, ready to be shown: masked, its address without the token, and cut where it is long. */
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

type Made = Omit<LoggedNotification, 'id' | 'tries' | 'outcome'>;

/** Records the outcome of a notification. */
export type Progress = { tried(one: Try): void; ended(outcome: NotificationState): void };

/** The last notifications that the gateway sent, or was about to send. Only what receivers answer is masked here. */
export class NotificationLog {
  readonly #kept = new Map<number, LoggedNotification>();
  #made = 0;

  add(made: Made): Progress {
    this.#made += 1;
    const id = this.#made;
    this.#kept.set(id, {
      ...made,
      id,
      order_no: cut(made.order_no, MAX_NAME_LENGTH),
      url: cut(made.url, MAX_NAME_LENGTH),
      body: cut(made.body),
      tries: [],
      outcome: { state: 'waiting' },
    });
    this.#kept.delete(id - KEPT);
    return {
      tried: (one) => this.#change(id, ({ tries }) => ({ tries: [...tries, masked(one)] })),
      ended: (outcome) => this.#change(id, () => ({ outcome })),
    };
  }

  /** The notifications, newest first. */
  list(): readonly LoggedNotification[] {
    return [...this.#kept.values()].toReversed();
  }

  #change(id: number, change: (before: LoggedNotification) => Partial<LoggedNotification>): void {
    const before = this.#kept.get(id);
    if (before) this.#kept.set(id, { ...before, ...change(before) });
  }
}

function masked(one: Try): Try {
  return 'body' in one ? { ...one, body: cut(maskText(one.body), MAX_NAME_LENGTH) } : one;
}
