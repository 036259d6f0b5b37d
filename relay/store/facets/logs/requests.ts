/** One answered request of an API key. It holds no body, no query and no header of the caller. */
export type StoredRequest = {
  account: string;
  /** Its place in the log: ids sort by time (see `NewId`). */
  id: string;
  /** When it was answered, ISO 8601 in UTC. */
  at: string;
  /** The name of the API key. */
  key: string;
  method: string;
  path: string;
  /** Undefined where the caller disconnected before the answer. */
  status?: number;
  /** The code of the problem that it was answered with. */
  problem?: string;
  /** It had an `Idempotency-Key`; `replayed` where the kept answer was given again. */
  idempotency?: 'sent' | 'replayed';
  ms: number;
  request_id: string;
};

/** Which requests to list: an account's, the newest first, all that these say. */
export type RequestSearch = {
  account: string;
  /** Only those before the one with this id. */
  before?: string;
  /** Only those from this id on: see `idsFrom`. */
  from: string;
  /** Statuses, from the first to the last. */
  status?: readonly [first: number, last: number];
  method?: string;
  key?: string;
  /** What the path begins with. */
  path?: string;
  limit: number;
};

/** The maximum requests, or refused requests, that a page reads: if few match, it may have fewer than its limit. */
export const LOOKED_AT = 10_000;

/** The request log of the API. A crash may undo the last of it. */
export type RequestStore = {
  /** Adds requests. Those that are there already are left as they are, so that a write may be repeated. */
  add(requests: readonly StoredRequest[]): Promise<void>;
  /** A page of an account's log, and the `before` of the next one. */
  list(search: RequestSearch): Promise<{ requests: StoredRequest[]; next?: string }>;
};
