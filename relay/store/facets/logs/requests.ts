/** One answered request of an API key. It has no body, no query and no header of the client. */
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
  /** Undefined if the client disconnected before the answer. */
  status?: number;
  /** The code of the problem in the answer. */
  problem?: string;
  /** `sent` if it had an `Idempotency-Key`; `replayed` if the stored answer was sent again. */
  idempotency?: 'sent' | 'replayed';
  ms: number;
  request_id: string;
};

/** A search for an account's requests, the newest first, that match all of these. */
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
  /** The beginning of the path. */
  path?: string;
  limit: number;
};

/** The maximum requests, or refused requests, that a page reads: if few match, it may have fewer than its limit. */
export const LOOKED_AT = 10_000;

/** The request log of the API. A crash may undo the last of it. */
export type RequestStore = {
  /** Adds requests. Those that exist already stay unchanged, so that a write may be repeated. */
  add(requests: readonly StoredRequest[]): Promise<void>;
  /** A page of an account's log, and the `before` of the next one. */
  list(search: RequestSearch): Promise<{ requests: StoredRequest[]; next?: string }>;
};
