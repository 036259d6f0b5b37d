/** What a webhook can tell (design 7). */
export const eventTypes = [
  'session.approved',
  'session.declined',
  'session.redirected',
  'session.unknown',
  'session.failed',
  'session.expired',
  'session.paid_twice',
  'operation.unknown',
  'operation.settled',
  'payout.updated',
  'payout.notified',
] as const;
export type EventType = (typeof eventTypes)[number];

/** A webhook to send, written with the change that it tells. Events of one `subject` are delivered in their order. */
export type NewEvent = {
  /** Its `webhook-id`. */
  id: string;
  account: string;
  /** The session or operation that it is about. */
  subject: string;
  type: EventType;
  /** ISO 8601 in UTC. */
  created_at: string;
  /** The exact bytes of the body that is signed and sent. */
  body: string;
};

export type Delivery =
  | { status: 'pending'; tries: number; next_try_at: string }
  | { status: 'delivered'; tries: number; delivered_at: string }
  | { status: 'failed'; tries: number; failed_at: string; reason: string };

export type OutboxEvent = NewEvent & { delivery: Delivery };
