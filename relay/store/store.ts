import type { Reconciliation } from '../../shared/api/reconciliation.ts';
import type { Limited, Quota } from '../payments/limits.ts';
import type { Operation } from '../payments/operations/operation.ts';
import type { RefundRefused, Reservation } from '../payments/operations/refund-rule.ts';
import type { OtherForm } from '../payments/operations/transaction-form.ts';
import type { Order } from '../payments/order.ts';
import type { Session } from '../payments/session.ts';
import type { AuditEntry, AuditRecord, AuditSearch } from './audit.ts';
import type { Delivery, EventType, NewEvent, OutboxEvent, PendingEvent } from './event.ts';
import type { Describe, FoundOrders, OperationSearch, OrderSearch } from './listing.ts';
import type {
  KeptNotification,
  NoticeEnd,
  Notification,
  Notified,
  ReportedNotices,
  WaitingNotice,
} from './notification.ts';
import type { SignIn } from './sign-in.ts';
import type { StatsSearch, StoredStats } from './stats/search.ts';

/** Why an order takes no payment now. */
export type OrderTaken = { kind: 'order_in_progress' | 'order_already_paid' };

export type Created = { kind: 'created' } | OrderTaken;

/** One order: an account and its order_no. */
export type OrderKey = { account: string; order_no: string };

/**
 * A change of an order: of what is known of it, its sessions and its attempts, with the webhooks that tell of it. `before`
 * is what was read. What an attempt that starts is counted by stands in `quotas`; `uncounted` is given back by an attempt of
 * which nothing was sent. `key` from then on leads to the session `subject`.
 */
export type OrderWrite = {
  before: Order;
  after: Order;
  events: readonly NewEvent[];
  quotas?: { counted: readonly Quota[]; at: string };
  uncounted?: { quotas: readonly Quota[]; at: string };
  lead?: { key: Claim; subject: string };
  answered?: Answered | undefined;
  /** Who asked for this, where an API key did. */
  audit?: AuditEntry;
  /** The order was asked about, and may be again: the moment of this write (ISO 8601). */
  release?: string;
};

/** A person said that a transaction paid the order, but the transaction_id is another spelling of the `known` one. */
export type SpellingKnown = { kind: 'other_form'; known: string };

/** One transaction pays one order: this one paid the order `order_no` before. */
export type TransactionKnown = { kind: 'transaction_known'; transaction_id: string; order_no: string };

/**
 * `changed`: another request or relay wrote the order meanwhile. Nothing was written unless it is `written`. A payment by a
 * transaction that paid another order is written only where it says so (`also_paid`).
 */
export type OrderWritten =
  | { kind: 'written' }
  | { kind: 'changed' }
  | { kind: 'key_lost' }
  | TransactionKnown
  | SpellingKnown
  | Limited;

/** `until` (ISO 8601): when the lease of another relay ends, or, where that is past, when the last query began. */
export type OrderLeased = { kind: 'leased' } | { kind: 'wait'; until: string };

/**
 * A share of the work that several relays on one store do: what is given out under a lease is given to nobody else before
 * `until`. A relay that crashes loses its share then. What a clock that was ahead leased or planned is free and due: a lease that
 * ends later than one that begins now, and a plan that was made later than now, by more than half a minute. Times are ISO 8601 in UTC.
 */
export type Lease = { now: string; until: string; limit: number };

/** Figures for the operator, from all relays on the store together. Times are ISO 8601 in UTC. */
export type Figures = {
  /** Sessions whose outcome is not known, and since when the oldest is so. */
  unknown_sessions: number;
  unknown_since?: string;
  /** Sessions that wait for a person. */
  needs_attention: number;
  /** The longest overdue query about an order of the accounts asked for. */
  query_due_since?: string;
  /** Operations of which something is not known; payouts on their way are not among them. */
  unknown_operations: number;
  unknown_operations_since?: string;
  /** Webhooks to deliver, and since when the oldest waits; webhooks that were given up. */
  pending_events: number;
  pending_since?: string;
  failed_events: number;
};

/** How many orders of an account are still to be asked about, and of how many operations something is not known. */
export type OpenOfAccount = { account: string; orders: number; operations: number };

/** Which webhooks to list: an account's, the newest first, older than the one with the id `before`. */
export type EventFilter = {
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

export type Redelivered = { kind: 'redelivered'; event: OutboxEvent } | { kind: 'pending' } | { kind: 'not_found' };

/** Which operations that are not known to find, and how far to count them. */
type OpenOperations = { account: string; waitsFor: 'person' | 'gateway'; limit: number; most: number };

/** The first use of an `Idempotency-Key`: on which account and route. */
export type Key = { account: string; route: string; key: string };

/**
 * A request that wants its key. `fingerprint` tells its body from others; `earlier` are the same body's under signing
 * secrets of before. Times are ISO 8601 in UTC.
 */
export type Claim = Key & { fingerprint: string; earlier?: readonly string[]; claimed_at: string };

/**
 * What became of a claim. `subject` is the operation or session that the first request made, `reply` its sealed answer.
 * `other_body` includes the first request's own body, where its fingerprint was made under a secret that is no longer listed.
 */
export type Claimed =
  | { kind: 'claimed' }
  | { kind: 'other_body'; subject?: string; reply?: string }
  | { kind: 'running'; subject?: string }
  | { kind: 'answered'; reply: string };

/** An answer to keep under its key. */
export type Answered = Key & { reply: string; subject?: string };

export type Begun =
  | { kind: 'begun' }
  /** `id` is the payout that has it; undefined where it is no longer kept. */
  | { kind: 'request_id_used'; id?: string }
  /** `id` is the operation that has the reference of item number `item`, kept or not. */
  | { kind: 'reference_used'; item: number; id: string }
  | RefundRefused
  | ({ kind: 'other_form' } & OtherForm)
  /** The request took so long that another one took its key over. */
  | { kind: 'key_lost' };

/** The end of an operation, or of the search for its end. */
export type Finish = {
  operation: Operation;
  /** Whether each of its refunds still counts as refunded; left out, nothing changes. */
  counted?: readonly boolean[];
  answered?: Answered | undefined;
  events: readonly NewEvent[];
  /** Who did this, where somebody did. */
  audit?: AuditEntry;
};

/**
 * The relay's durable state. Every method is one transaction: when its promise is fulfilled the change is on disk, when
 * it is rejected (with StoreError) nothing was written; only where the server of a store is lost at the very moment of the
 * commit can nobody tell. Whoever calls must take the one for the other: neither may lead to a second payment.
 */
export type Store = {
  /** Adds a session unless its order is held or paid. `answered` is kept with it. */
  createSession(session: Session, answered?: Answered): Promise<Created>;
  session(id: string): Promise<Session | undefined>;
  /** Everything that is known of an order, with all its sessions and attempts; an empty one where nothing is. */
  order(account: string, orderNo: string): Promise<Order>;
  /** The order of a session, in one read. */
  orderOfSession(sessionId: string): Promise<Order | undefined>;
  /** Writes a change of an order, if nobody wrote it since it was read. An order without a row is at version 0. */
  writeOrder(write: OrderWrite): Promise<OrderWritten>;
  /** The first of these quotas that is used up; nothing is counted. */
  limitedBy(quotas: readonly Quota[], at: string): Promise<Limited | undefined>;
  /**
   * Writes a session's terms and revision, if it still is at `session.version - 1`. False when it is not. `audit` tells who asked
   * for it.
   */
  changeSession(session: Session, audit?: AuditEntry): Promise<boolean>;
  /**
   * Orders of these accounts whose next query is due and that were asked about last before `quietSince`, the longest due
   * first. A write with `release`, or the lease's end, frees them.
   */
  leaseDueOrders(lease: Lease, accounts: readonly string[], quietSince: string): Promise<OrderKey[]>;
  /** Takes one order to ask about it now, unless somebody else does, or did after `quietSince`. */
  leaseOrder(order: OrderKey, lease: Lease, quietSince: string): Promise<OrderLeased>;
  /** Lets the leases of orders last until `until`. */
  keepOrders(orders: readonly OrderKey[], lease: Pick<Lease, 'now' | 'until'>): Promise<void>;
  /** Frees an order whose query brought nothing to write. The pause to the next query counts from `askedAt`. */
  releaseOrder(order: OrderKey, askedAt: string): Promise<void>;
  /** Open sessions whose time is over. */
  leaseExpirableSessions(lease: Lease): Promise<Session[]>;
  /**
   * Keeps a notification, and makes the order of the session that it is about (where it is about one) due, and the orders of
   * its account that it names. The same bytes for the same subject are kept once and counted.
   */
  addNotification(notification: Notification): Promise<void>;
  /** Waiting notifications of these subjects, the oldest first. */
  waitingNotices(subjects: readonly string[], limit: number): Promise<WaitingNotice[]>;
  /** Waiting notifications of these accounts that are due, the longest due first. Nobody else gets them before `until`. */
  leaseDueNotices(lease: Lease, accounts: readonly string[]): Promise<WaitingNotice[]>;
  /** Lets notifications that still wait be due at this moment, as is planned now, and keeps what they say where it is given. */
  delayNotices(
    notices: readonly (Pick<WaitingNotice, 'subject' | 'sha256'> & { notice?: WaitingNotice['notice'] })[],
    dueAt: string,
    now: string,
  ): Promise<void>;
  /** How many notifications of each of these subjects were told since `since`, verified ones and others apart. */
  reportedNotices(subjects: readonly string[], since: string): Promise<ReportedNotices[]>;
  /**
   * Ends the wait of notifications of one subject. Of those with an event at most `limit` verified ones, and as many
   * others, are told since `since`; the events of the rest are not written. Counts those that had waited until now: told, not told by the limit, and without an event.
   */
  endNotices(
    subject: string,
    ends: readonly NoticeEnd[],
    terms: { at: string; since: string; limit: number },
  ): Promise<{ told: number; limited: number; known: number }>;

  /**
   * Takes a key for a request. One that was taken before `abandonedBefore` and led to nothing is free again. `earlierKeys` are
   * other forms of the key: what was claimed under any of them counts as claimed under the key.
   */
  claimKey(claim: Claim, abandonedBefore: string, earlierKeys?: readonly string[]): Promise<Claimed>;
  /** Keeps the answer under a claimed key; an earlier answer stays. */
  answerKey(answered: Answered): Promise<void>;
  /** Gives keys back that were claimed by these claims, and led to nothing. Another request's claim of the same key stays. */
  releaseKeys(claims: readonly Claim[]): Promise<void>;
  /** Forgets a key that leads to `subject`, or to nothing where that is left out, whatever is kept under it. */
  dropKey(key: Key, subject?: string): Promise<void>;
  /**
   * Forgets keys that were claimed before `before`, at most `limit`, but for those whose operation is not known yet. True
   * when there may be more.
   */
  forgetKeys(before: string, limit: number): Promise<boolean>;

  /**
   * Adds an operation with its refunds, if they may be refunded, no transaction_id of theirs is another spelling of a known one,
   * and its references were never used, and lets `key` lead to it. `audit` names who asked for it.
   */
  beginOperation(
    operation: Operation,
    refunds: readonly Reservation[],
    key?: Claim,
    audit?: AuditEntry,
  ): Promise<Begun>;
  /**
   * Writes what became of an operation, if it still is at `operation.version - 1`. Where nothing came of it, its references
   * are free again; its request_id only where it was not sent.
   */
  finishOperation(finish: Finish): Promise<boolean>;
  operation(id: string): Promise<Operation | undefined>;
  /** Operations in flight that began before `before`: the relay that sent them crashed. */
  leaseOrphanedOperations(lease: Lease, before: string): Promise<Operation[]>;
  /** Operations of these accounts whose next look (`nextLookAt`) is due. Any change of an operation ends its lease. */
  leaseDueOperations(lease: Lease, accounts: readonly string[]): Promise<Operation[]>;
  /** Lets the leases of operations last until `until`. */
  keepOperations(ids: readonly string[], lease: Pick<Lease, 'now' | 'until'>): Promise<void>;
  /**
   * The transaction_ids of an account's payments and of refunds that may have happened, that are one of these, or have the
   * form (`transactionForm`) of one that is not known itself.
   */
  spellingsOf(account: string, ids: readonly string[]): Promise<string[]>;
  /** The other operations of an account that have a refund of one of these payments, the oldest first. */
  refundsOf(account: string, transactionIds: readonly string[]): Promise<Operation[]>;
  /** What refunds took of each of these payments, in minor units; what is not known yet counts. Left out where nothing did. */
  refunded(account: string, transactionIds: readonly string[]): Promise<{ transaction_id: string; sum: bigint }[]>;

  /**
   * Brings the list of orders, and of their operations, up to date with at most `limit` changes, the oldest first. Gives how
   * many there were. What a crash of the machine undoes of it is done again. While another relay does it, this waits for its
   * turn, or gives 0 at once (`skip`).
   */
  refreshList(limit: number, describe: Describe, whenBusy?: 'wait' | 'skip'): Promise<number>;
  /** A page of the list of orders, as it was brought up to date last. */
  searchOrders(search: OrderSearch): Promise<FoundOrders>;
  /** These orders of an account, each as `order` gives it, for a reader of many that nobody else requests. */
  ordersOf(account: string, orderNos: readonly string[]): Promise<Order[]>;
  /** The numbers of at most `limit` orders of an account under one term of the list, the oldest first. */
  oldestOrders(account: string, term: string, limit: number): Promise<string[]>;
  /** At most `limit` operations of an account that are found by one of these terms, the newest first. */
  operationsOf(account: string, terms: readonly string[], limit: number): Promise<Operation[]>;
  /** A page of an account's operations, the newest first. */
  listOperations(search: OperationSearch): Promise<Operation[]>;
  /**
   * Operations of an account of which something is not known, the oldest first: those that wait for a person alone, or those that
   * the gateway is asked about. `limit` of them, and how many there are, up to `most`.
   */
  openOperations(search: OpenOperations): Promise<{ count: number; operations: Operation[] }>;
  /** What the gateway sent about these subjects, the oldest first. */
  notificationsOf(subjects: readonly string[], limit: number): Promise<KeptNotification[]>;
  /** How much the gateway sent about each of these subjects, where it sent anything, and the newest `limit` of each. */
  notified(subjects: readonly string[], limit: number): Promise<Notified[]>;
  /** Adds an entry about what has no change of its own to be written with. */
  addAudit(entry: AuditEntry): Promise<void>;
  /** A page of an account's log. */
  listAudit(search: AuditSearch): Promise<AuditRecord[]>;

  /** Keeps what an account's last reconciliation came to, in place of the one before. */
  putReconciliation(account: string, report: Reconciliation): Promise<void>;
  lastReconciliation(account: string): Promise<Reconciliation | undefined>;

  addSignIn(signIn: SignIn): Promise<void>;
  signIn(tokenSha256: string): Promise<SignIn | undefined>;
  /** Writes when a person was seen last. */
  seeSignIn(tokenSha256: string, at: string): Promise<void>;
  endSignIn(tokenSha256: string): Promise<void>;
  /** Forgets sign-ins of before, at most `limit`. True when there may be more. */
  forgetSignIns(before: string, limit: number): Promise<boolean>;
  /** Counts an attempt that is no payment by some quotas, unless one of them is used up: then that one, and none is counted. */
  countAttempt(quotas: readonly Quota[], at: string): Promise<Limited | undefined>;
  /** Gives an attempt back that was counted at this moment. */
  uncountAttempt(quotas: readonly Quota[], at: string): Promise<void>;

  /** Adds events that tell of no change in the store. One whose id is there already is left out. */
  addEvents(events: readonly NewEvent[]): Promise<void>;
  /**
   * Takes events of an account whose next try is due, the longest due first and of each subject only the oldest that is
   * pending. Until `until` nobody else gets them; after that, their holder counts as crashed.
   */
  claimEvents(account: string, now: string, until: string, limit: number): Promise<PendingEvent[]>;
  /**
   * Writes the result of a pending event's delivery; `now` is when its next try was planned. An event that was delivered or given up
   * meanwhile stays.
   */
  updateEvent(event: NewEvent, delivery: Delivery, now?: string): Promise<void>;
  listEvents(filter: EventFilter): Promise<OutboxEvent[]>;
  event(account: string, id: string): Promise<OutboxEvent | undefined>;
  /** Lets an account's event that was delivered or given up be delivered again, after those of its subject that wait. */
  redeliverEvent(account: string, id: string, now: string): Promise<Redelivered>;

  /** Lets an event that was given up count as failed no more: who dealt with it, and when. Doing so again changes nothing. */
  acknowledgeEvent(account: string, id: string, by: string, now: string): Promise<Acknowledged>;

  /**
   * Gives up at most `limit` pending events of all accounts but these that were created before `before`: nobody delivers
   * them. They fail as of `failedAt` with `no_answer` and can be redelivered. Says how many.
   */
  failOrphanedEvents(accounts: readonly string[], before: string, failedAt: string, limit: number): Promise<number>;

  /**
   * Counts and sums of an account's payments and refunds by hour or day, as they are now. What has no tally is counted, which may
   * take many seconds, in which payments go on: only a store in memory counts on the thread that takes payments.
   */
  stats(search: StatsSearch): Promise<StoredStats>;
  /**
   * Takes one step that brings the tallies of `stats` up to date, those of hours that are over at `now` (ISO 8601). True when
   * there may be another one to take.
   */
  refreshStats(now: string): Promise<boolean>;

  /** `accounts` are those that are configured: nobody asks about the orders of others. */
  figures(now: string, accounts: readonly string[]): Promise<Figures>;
  /** What is open of each other account than these, where anything is. */
  openBeside(accounts: readonly string[]): Promise<OpenOfAccount[]>;
  /**
   * Deletes what is older than `before` and over: sessions with their attempts, operations with their refunds, webhooks,
   * notifications, the audit log, reports of reconciliations; at most `limit` of each. What is unsettled stays. So does for good that an order was paid, that
   * a payout had its request_id, an item its reference, and how much of a payment was refunded. Also forgets attempts that were counted before `counted_before`. True when there may be more.
   */
  purge(terms: { before: string; counted_before: string; limit: number }): Promise<boolean>;

  /** Throws StoreError when the store cannot be read and written. */
  check(): Promise<void>;
  close(): Promise<void>;
};
