import type { Attempt, Session } from '../checkout/session.ts';
import type { Delivery, NewEvent, PendingEvent } from '../events/event.ts';
import type { Operation } from '../operations/operation.ts';

/**
 * Who holds an order (one account and order_no): nobody, an attempt whose outcome is open, or a payment that was
 * approved. At most one attempt holds an order, whatever session it belongs to.
 */
export type OrderHold = 'free' | 'held' | 'paid';

export type Created = 'created' | 'order_in_progress' | 'order_already_paid';
export type Started = 'started' | 'changed' | 'order_in_progress' | 'order_already_paid';
export type Paying = Created | 'key_lost';

/** The first use of an `Idempotency-Key`: on which account and route. */
export type Key = { account: string; route: string; key: string };

/** A request that wants its key. `fingerprint` tells its body from others; times are ISO 8601 in UTC. */
export type Claim = Key & { fingerprint: string; claimed_at: string };

/** What became of a claim. `subject` is the operation or session that the first request made, `reply` its sealed answer. */
export type Claimed =
  | { kind: 'claimed' }
  | { kind: 'other_body'; fingerprint: string; subject?: string }
  | { kind: 'running'; subject?: string }
  | { kind: 'answered'; reply: string };

/** An answer to keep under its key. */
export type Answered = Key & { reply: string; subject?: string };

/** One refund of an operation: `amount` and `original` (what was paid, as the shop says) in hundredths. */
export type Reservation = { transaction_id: string; currency: string; amount: bigint; original: bigint };

export type Begun =
  | { kind: 'begun' }
  | { kind: 'request_id_used'; id: string }
  /** Item number `item` asks for more than the `left` hundredths. */
  | { kind: 'refund_exceeds_payment'; item: number; left: bigint }
  /** Item number `item` is not in the `currency` of its payment. */
  | { kind: 'refund_of_other_currency'; item: number; currency: string }
  /** The request took so long that another one took its key over. */
  | { kind: 'key_lost' };

/** The end of an operation, or of the search for its end. */
export type Finish = {
  operation: Operation;
  /** Whether each of its refunds still counts as refunded; left out, nothing changes. */
  counted?: readonly boolean[];
  answered?: Answered | undefined;
  events: readonly NewEvent[];
};

/**
 * The relay's durable state. Every method is one transaction: when its promise is fulfilled the change is on disk, when
 * it is rejected (with StoreError) nothing was written.
 */
export type Store = {
  /** Adds a session unless its order is held or paid. `answered` is kept with it. */
  createSession(session: Session, answered?: Answered): Promise<Created>;
  session(id: string): Promise<Session | undefined>;
  /** Every attempt ever made to pay an order, oldest first, of all its sessions. */
  attemptsOfOrder(account: string, orderNo: string): Promise<Attempt[]>;
  /** Adds an attempt, takes the order for it and moves the session on, if the session is still at `session.version - 1`. */
  startAttempt(session: Session, attempt: Attempt): Promise<Started>;
  /** Adds a session together with its one attempt, and takes the order for it; `key` from then on leads to the session. */
  startPayment(session: Session, attempt: Attempt, key?: Claim): Promise<Paying>;
  /**
   * Writes what became of an attempt and its session, who holds the order from now on, and the events that tell it, if
   * the session still is at `session.version - 1`. False when it is not; then nothing is written.
   */
  settle(
    session: Session,
    attempt: Attempt,
    hold: OrderHold | 'unchanged',
    events: readonly NewEvent[],
  ): Promise<boolean>;
  /** Writes a session without an attempt's change, under the same rule. */
  update(session: Session, events: readonly NewEvent[]): Promise<boolean>;
  /** Unknown and redirected sessions of these accounts whose next look is due, the longest due first. `now` is ISO 8601. */
  dueSessions(now: string, accounts: readonly string[], limit: number): Promise<Session[]>;
  /** Sessions in processing whose attempt started before `before`: the relay that made it died. */
  strandedSessions(before: string, limit: number): Promise<Session[]>;
  /** Open sessions whose time is over. */
  expirableSessions(now: string, limit: number): Promise<Session[]>;

  /** Takes a key for a request. One that was taken before `abandonedBefore` and led to nothing is free again. */
  claimKey(claim: Claim, abandonedBefore: string): Promise<Claimed>;
  /** Keeps the answer under a claimed key; an earlier answer stays. */
  answerKey(answered: Answered): Promise<void>;
  /** Gives a claimed key back that led to nothing. */
  releaseKey(key: Key): Promise<void>;
  /** Forgets a key that leads to nothing or to `subject`, whatever is kept under it. */
  dropKey(key: Key, subject?: string): Promise<void>;
  /** Forgets keys that were claimed before `before`, but for those whose operation is not known yet. */
  forgetKeys(before: string, limit: number): Promise<void>;

  /** Adds an operation with its refunds, if they may be refunded, and lets `key` lead to it. */
  beginOperation(operation: Operation, refunds: readonly Reservation[], key?: Claim): Promise<Begun>;
  /** Writes what became of an operation, if it still is at `operation.version - 1`. */
  finishOperation(finish: Finish): Promise<boolean>;
  operation(id: string): Promise<Operation | undefined>;
  /** Operations in flight that began before `before`: the relay that sent them died. */
  strandedOperations(before: string, limit: number): Promise<Operation[]>;

  /** Adds events that tell of no change in the store. One whose id is there already is left out. */
  addEvents(events: readonly NewEvent[]): Promise<void>;
  /**
   * Takes events of an account whose next try is due, the longest due first and of each subject only the oldest that is
   * pending. Until `until` nobody else gets them; after that, whoever took them is taken for dead.
   */
  claimEvents(account: string, now: string, until: string, limit: number): Promise<PendingEvent[]>;
  /** Writes what became of a pending event's delivery; of one that was delivered or given up meanwhile nothing. */
  updateEvent(event: NewEvent, delivery: Delivery): Promise<void>;

  /** Throws StoreError when the store cannot be read and written. */
  check(): Promise<void>;
  close(): Promise<void>;
};
