import type { EventType } from '../../../shared/api/webhook.ts';

export type { EventType };

/** The type of most webhooks: each payment writes one. The stores find webhooks of other types by an index of those types. */
export const COMMON_TYPE = 'session.approved' satisfies EventType;

/** The contents of an event. */
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
 * An event that is written together with the change that it reports, and the ids of the endpoints that want it. If no endpoint wants
 * it, it is stored and never sent. Each endpoint gets the events of one `subject` in their order.
 */
export type NewEvent = EventFacts & { endpoints: readonly string[] };

/** The reason why a receiver did not accept a webhook. */
export type DeliveryFault = `http_${number}` | 'timeout' | 'no_answer' | 'address_refused' | 'scheme_refused';

/** `first_try_at` and the last try's `fault` are absent before the first try. Times are ISO 8601 in UTC. */
export type Pending = {
  status: 'pending';
  tries: number;
  next_try_at: string;
  first_try_at?: string;
  fault?: DeliveryFault;
};

/** A delivery after a try. */
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
 * An event to send to an endpoint. If several endpoints get the event, `id` names this delivery, and `event_id` the event.
 */
export type PendingEvent = EventFacts & { endpoint: string; event_id?: string; delivery: Pending };

/** The key of a delivery in the store. */
export type DeliveryKey = Pick<PendingEvent, 'id' | 'event_id' | 'subject' | 'endpoint'>;

/** The ids of the endpoints that want the events of a type. */
export type EndpointsFor = (type: EventType) => readonly string[];

export type EndpointKey = { account: string; endpoint: string };

/** A search for an account's webhooks, the newest first, older than the one with the id `before`. */
export type OutboxFilter = {
  account: string;
  status?: Delivery['status'];
  type?: EventType;
  subject?: string;
  before?: string;
  /** Only those written at this moment (ISO 8601) or later. */
  since?: string;
  /** The oldest first; with `after`, only those after this id. */
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
  /** Adds events without a change in the store. An event whose id exists already is left out. */
  add(events: readonly NewEvent[]): Promise<void>;
  /**
   * Leases events of an endpoint whose next try is due, the longest due first and of each subject only the oldest pending one. No
   * other relay gets them before `until`; after that, their holder counts as crashed.
   */
  leaseDue(account: string, endpoint: string, now: string, until: string, limit: number): Promise<PendingEvent[]>;
  /**
   * Writes the result of a pending event's delivery; `now` is the time of the plan for its next try. An event that was delivered or
   * given up meanwhile stays.
   */
  writeDelivery(event: DeliveryKey, delivery: Delivery, now?: string): Promise<void>;
  get(account: string, id: string): Promise<OutboxEvent | undefined>;
  list(filter: OutboxFilter): Promise<OutboxEvent[]>;
  /**
   * Delivers an account's event again, after the waiting ones of its subject. It goes to those endpoints for its type that did not get
   * it; if each of them got it, to all that did; if it was never sent to one of them, to all.
   */
  redeliver(account: string, id: string, now: string, endpointsFor: EndpointsFor): Promise<RedeliveryResult>;
  /** Marks an event that was given up as resolved: by whom, and when. A repetition changes nothing. */
  acknowledge(account: string, id: string, by: string, now: string): Promise<Acknowledged>;
  /**
   * Gives up at most `limit` pending deliveries of other accounts than these that were created before `before`, because no relay makes
   * them. They fail at `failedAt` with `no_answer` and can be redelivered. Returns their number.
   */
  failOrphaned(accounts: readonly string[], before: string, failedAt: string, limit: number): Promise<number>;
  /**
   * Ends at most `limit` pending deliveries of these accounts to other endpoints than these that were created before `before`. Their
   * events stay. Returns their number.
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
