import type { EventType } from '../../shared/api/event.ts';

export type { EventType };

/** The type that most webhooks have: every payment writes one of it. The stores find those of other types by an index of theirs. */
export const COMMON_TYPE = 'session.approved' satisfies EventType;

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

/** Why a receiver did not take a webhook. */
export type DeliveryFault = `http_${number}` | 'timeout' | 'no_answer' | 'address_refused' | 'scheme_refused';

/** `first_try_at` and `fault` are there once it was tried; `fault` is the last try's. Times are ISO 8601 in UTC. */
export type Pending = {
  status: 'pending';
  tries: number;
  next_try_at: string;
  first_try_at?: string;
  fault?: DeliveryFault;
};

/** What a try makes of a delivery. */
export type Tried =
  | Pending
  | { status: 'delivered'; tries: number; delivered_at: string }
  | { status: 'failed'; tries: number; failed_at: string; reason: DeliveryFault };

/** `by` is the name of the API key, or of the person behind `person:`, by which somebody said that the failure is dealt with. */
export type Delivery =
  | Tried
  | (Omit<Extract<Tried, { status: 'failed' }>, 'status'> & {
      status: 'acknowledged';
      acknowledged_at: string;
      by: string;
    });

export type OutboxEvent = NewEvent & { delivery: Delivery };
export type PendingEvent = NewEvent & { delivery: Pending };
