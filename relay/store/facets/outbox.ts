import type { EventType } from '../../../shared/api/webhook.ts';

export type { EventType };

/** The type that most webhooks have: every payment writes one of it. The stores find those of other types by an index of theirs. */
export const COMMON_TYPE = 'session.approved' satisfies EventType;

/** What an event tells, and of what. */
export type EventFacts = {
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

/**
 * An event that is written with the change that it tells, and the ids of the endpoints that want it: where there are none it is kept, and
 * never sent. Each endpoint gets the events of one `subject` in their order.
 */
export type NewEvent = EventFacts & { endpoints: readonly string[] };

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

/** No endpoint wants the event, or the one that wanted it was removed. */
export type Kept = { status: 'kept'; tries: number };

/** `by` is the name of the API key, or of the person behind `person:`, that acknowledged the failure. */
export type Delivery =
  | Tried
  | Kept
  | (Omit<Extract<Tried, { status: 'failed' }>, 'status'> & {
      status: 'acknowledged';
      acknowledged_at: string;
      by: string;
    });

export type EndpointDelivery = { endpoint: string; delivery: Delivery };

/** `delivery` is the one that needs most attention: failed before pending, acknowledged, delivered and kept. */
export type OutboxEvent = EventFacts & { delivery: Delivery; deliveries: readonly EndpointDelivery[] };

/**
 * An event to send to an endpoint. Where several endpoints get the event, `id` names this delivery, and `event_id` the event.
 */
export type PendingEvent = EventFacts & { endpoint: string; event_id?: string; delivery: Pending };

/** What names a delivery in the store. */
export type DeliveryKey = Pick<PendingEvent, 'id' | 'event_id' | 'subject' | 'endpoint'>;

/** The ids of the endpoints that want the events of a type. */
export type EndpointsFor = (type: EventType) => readonly string[];

export type EndpointKey = { account: string; endpoint: string };

/** Which webhooks to list: an account's, the newest first, older than the one with the id `before`. */
export type OutboxFilter = {
  account: string;
  status?: Delivery['status'];
  type?: EventType;
  subject?: string;
  before?: string;
  /** Only those written at this moment (ISO 8601) or later. */
  since?: string;
  /** The oldest first, and where an id is given those after it. */
  oldestFirst?: { after?: string };
  limit: number;
};

export type Acknowledged =
  | { kind: 'acknowledged'; event: OutboxEvent }
  | { kind: 'not_failed' }
  | { kind: 'not_found' };

export type RedeliveryResult =
  | { kind: 'redelivered'; event: OutboxEvent }
  | { kind: 'pending' }
  | { kind: 'unwanted' }
  | { kind: 'not_found' };

/** The outbox of webhooks. Each endpoint gets those of one subject in their order. */
export type OutboxStore = {
  /** Adds events that tell of no change in the store. One whose id is there already is left out. */
  add(events: readonly NewEvent[]): Promise<void>;
  /**
   * Takes events for an endpoint whose next try is due, the longest due first and of each subject only the oldest that is
   * pending. Until `until` no other relay gets them; after that, their holder counts as crashed.
   */
  leaseDue(account: string, endpoint: string, now: string, until: string, limit: number): Promise<PendingEvent[]>;
  /**
   * Writes the result of a pending event's delivery; `now` is when its next try was planned. An event that was delivered or given up
   * meanwhile stays.
   */
  writeDelivery(event: DeliveryKey, delivery: Delivery, now?: string): Promise<void>;
  get(account: string, id: string): Promise<OutboxEvent | undefined>;
  list(filter: OutboxFilter): Promise<OutboxEvent[]>;
  /**
   * Lets an account's event be delivered again, after those of its subject that wait. Of the endpoints for its type it goes to those that
   * did not get it; if each of them got it, to all that did; if it was never to go to one of them, to all.
   */
  redeliver(account: string, id: string, now: string, endpointsFor: EndpointsFor): Promise<RedeliveryResult>;
  /** Lets an event that was given up count as failed no more: who dealt with it, and when. Doing so again changes nothing. */
  acknowledge(account: string, id: string, by: string, now: string): Promise<Acknowledged>;
  /**
   * Gives up at most `limit` pending deliveries of all accounts but these that were created before `before`: no relay makes
   * them. They fail as of `failedAt` with `no_answer` and can be redelivered. Says how many.
   */
  failOrphaned(accounts: readonly string[], before: string, failedAt: string, limit: number): Promise<number>;
  /**
   * Ends at most `limit` pending deliveries of these accounts to other endpoints than these that were created before `before`. Their
   * events are kept. Says how many.
   */
  endRemoved(
    accounts: readonly string[],
    endpoints: readonly EndpointKey[],
    before: string,
    limit: number,
  ): Promise<number>;
  /** The next delivery to an endpoint of each subject, at most `limit`: those that are due first. */
  waiting(key: EndpointKey, limit: number): Promise<Pending[]>;
};
