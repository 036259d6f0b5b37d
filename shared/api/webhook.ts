import type { EventType, NotificationReceived, OperationCompleted } from './event.ts';
import type { OperationAnswer } from './operation.ts';
import type { SessionAnswer } from './session.ts';

/** `data` of each webhook: the session or operation as it was when the webhook was written, or what is told of it. */
export type WebhookData = {
  /** `late`: the session was `failed` or `expired` before it turned out to be paid. */
  'session.approved': SessionAnswer & { late?: true };
  'session.declined': SessionAnswer;
  'session.redirected': SessionAnswer;
  'session.pending': SessionAnswer;
  'session.unknown': SessionAnswer;
  'session.failed': SessionAnswer;
  'session.expired': SessionAnswer;
  /** `transaction_ids`: the payment of before, and the one that has to be given back. */
  'session.paid_twice': SessionAnswer & { transaction_ids: readonly string[] };
  'notification.received': NotificationReceived;
  'operation.completed': OperationCompleted;
  'operation.unknown': OperationAnswer;
  'operation.settled': OperationAnswer;
  'payout.updated': OperationAnswer;
  'payout.notified': OperationAnswer & PayoutNotified;
};

/** Whether the gateway signed what was written to a payout's notify_url, its SHA-256 in hex and size, and what it names. */
export type PayoutNotified = {
  verified: boolean;
  notification: {
    sha256: string;
    bytes: number;
    request_id?: string;
    transaction_id?: string;
    short_reference_id?: string;
    status?: string;
  };
};

/** The body of a webhook. Newer relays have types that are not here: leave them alone. */
export type WebhookEvent = {
  [Type in EventType]: {
    type: Type;
    /** ISO 8601 in UTC. */
    timestamp: string;
    data: WebhookData[Type];
  };
}[EventType];
