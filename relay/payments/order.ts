import type { PaymentStatus } from '../../shared/api/order-payment.ts';
import type { holdReasons } from '../../shared/api/session.ts';
import type { Result } from '../../shared/checkout/pay.ts';
import type { OrderRecord } from '../../shared/gateway/query.ts';
import type { CodeBook } from '../gateway/profile.ts';
import type { Moment } from './absence-clock.ts';
import { type Attempt, isWatched, wasSent } from './attempt.ts';
import type { Histories } from './ledger/payment-operation.ts';
import type { PaymentRecord } from './ledger/record.ts';
import type { QueryFault, Session, Settler } from './session.ts';

/**
 * What holds an order (one account and order_no): nothing, an attempt or a record whose outcome is open, or a payment. At
 * most one attempt holds an order, whatever session it belongs to.
 */
export type OrderHold = 'free' | 'held' | 'paid';

/**
 * A transaction that paid an order. `proof`: the gateway's answer, a record of a query, or only a person. An `unsigned` answer
 * proves no transaction: another one may be the order's. `date` is the gateway's own where it is known. Times are ISO 8601 in
 * UTC.
 */
export type OrderPayment = {
  transaction_id: string;
  amount: string;
  currency: string;
  /** The attempt that it is credited to; none where no attempt of ours has its amount. */
  attempt_id?: string;
  /** Its method, as `Attempt` has it: attempts are deleted once they are old. */
  method?: string;
  proof: 'answer' | 'record' | 'person';
  unsigned?: true;
  date: string;
  recurring_id?: string;
  /** `renewal`: a later charge of a contract, which pays no order a second time. None where a session of its order was paid. */
  origin?: 'renewal';
  /** The order_no that this transaction paid before: the gateway charged two orders under one transaction_id. */
  also_paid?: string;
  /** What its record said in the last counted query in which its code had a meaning. */
  record?: PaymentRecord;
  /** The `payment_status` of its record since then, which has none. */
  unclear?: string;
  /** Its record is awaited, since then (ISO 8601); `asked`: a counted query did not show it. */
  awaited?: { since: string; asked?: true };
  /** An operation of ours, whose outcome is not known, may have done what its record says: its events wait. */
  undecided?: true;
  /** No query showed its record in time, and the shop was sent `payment.unconfirmed`. */
  unconfirmed?: true;
  /**
   * Whether the shop was sent `payment.ready`; `withdrawn`: the payment was reversed after that. None where it never is: for a further payment of the order, and for a payment of an earlier
   * version of the relay.
   */
  ready?: 'due' | 'sent' | 'withdrawn';
  /** The status that a webhook reported last, and when (ISO 8601); none while its record has none. */
  told?: PaymentStatus;
  told_at?: string;
  /** A person's decision about the payment. It holds while its record says the same (`recordKey`). */
  decided?: { outcome: 'confirmed' | 'reversed'; record?: string; by: string; at: string; note: string };
};

/**
 * A later charge of a contract that the order's payment began, by its record. `failed`: the gateway declined it, and why. `told_at` is
 * when its webhook was written, `acknowledged` when a person was done with it. Times are ISO 8601.
 */
export type ContractCharge = {
  transaction_id: string;
  recurring_id: string;
  order_no: string;
  amount: string;
  currency: string;
  date: string;
  told_at: string;
  failed?: Result;
  acknowledged?: Settler;
};

/**
 * A record that was undecided when it was seen: enough to see that it changed. `date` (ISO 8601) tells those apart that have
 * no transaction_id; `attempt_id` is the attempt that it seems to be of.
 */
export type SeenRecord = {
  transaction_id: string;
  payment_status: string;
  amount: string;
  currency: string;
  date?: string;
  attempt_id?: string;
};

/** Why the records of a query hold an order that is not paid. */
export type HoldReason = (typeof holdReasons)[number];

/**
 * The queries about one order: when the last one began, whether it counted, and how many in a row did not. `apart`: one of these
 * failed by this order alone, which is asked about apart from others until a query counts. `ahead`: when one saw first that
 * something of the order was noted by a clock that was ahead (ISO 8601); none where nothing lies ahead.
 */
type QueryLog = {
  last?: { at: string; counted: boolean; fault?: string };
  /** When the last one that counted began, where a later one did not. */
  counted?: string;
  failures: number;
  apart?: true;
  ahead?: string;
};

/** Everything that is known of one order. `version` grows with every change of it, its sessions' states and its attempts. */
export type StoredOrder = {
  account: string;
  order_no: string;
  version: number;
  hold: OrderHold;
  /** The transactions that paid it, the first one first. */
  payments: readonly OrderPayment[];
  /** It was paid by a transaction that is no longer known. */
  wasPaid?: true;
  /** The later charges of the contracts that its payments began. */
  charges?: readonly ContractCharge[];
  /** The transaction_ids of later charges that a version before told by `notification.received`: they are not reported again. */
  told_charges?: readonly string[];
  /** What the last counted query showed undecided, and why that holds the order; `since` is ISO 8601. */
  undecided?: { reason: HoldReason; since: string; records: readonly SeenRecord[] };
  /** The undecided records that a person decided about: they hold the order no more unless they change. */
  decided: readonly SeenRecord[];
  queries: QueryLog;
  /** Notifications that named the order, and how many of them a counted query has followed. */
  notices: number;
  noticed: number;
  /**
   * The queries that repeat the one which followed the latest notification: when that one began, and when the next is due
   * (ISO 8601); none once something changed or the last was made.
   */
  repeats?: { since: string; next_at: string };
  /** When it is asked about next, and when that was planned (ISO 8601): a clock that was ahead then planned too late. */
  next_query_at?: string;
  planned_at?: string;
  sessions: readonly Session[];
  /** Every attempt ever made to pay it, the oldest first. */
  attempts: readonly Attempt[];
};

/** What the rules depend on beside the order, its records and the time. */
export type PaymentRules = {
  codes: CodeBook['payment_status'];
  /** The `status` of a fraud check that holds a payment, and the values of `review_flag` that reject one. */
  fraudRejected: readonly string[];
  rejects: readonly string[];
  /** How the payments of each method are captured. */
  capture: Readonly<Record<string, 'automatic' | 'manual'>>;
  /** How many days after its approval an authorised payment needs a person. */
  authorisationDays: number;
  /** The IANA time zone of the records' dates. */
  timeZone: string;
  attemptsPerSession: number;
  /** How long after its start an attempt that is still in flight has lost the relay that sends it, in milliseconds. */
  orphanedMs: number;
  resolve: Record<'first_ms' | 'max_ms' | 'absent_ms' | 'give_up_ms' | 'return_ms' | 'confirm_ms', number> & {
    paid_days: readonly number[];
  };
  /** Alternative methods that take another time than `return_ms`, in milliseconds by their names. */
  returnMs: Readonly<Record<string, number>>;
};

/**
 * What one query brought about an order. `begun` is when it began: it tells nothing of attempts that were sent later.
 * `notices` are the notifications of the order that had come by then. A query that does not count may have records all the same, which prove what they say.
 */
export type OrderQuery = { begun: Moment; notices: number; histories?: Histories } & (
  | { counted: true; records: readonly OrderRecord[] }
  | { counted: false; fault: QueryFault; apart?: boolean; records?: readonly OrderRecord[] }
);

/** An order of which nothing is known yet. */
export function emptyOrder(account: string, order_no: string): StoredOrder {
  return {
    account,
    order_no,
    version: 0,
    hold: 'free',
    payments: [],
    decided: [],
    queries: { failures: 0 },
    notices: 0,
    noticed: 0,
    sessions: [],
    attempts: [],
  };
}

/** True for an order that needs no further payment. */
export function isPaid({ payments, wasPaid }: Pick<StoredOrder, 'payments' | 'wasPaid'>): boolean {
  return payments.length > 0 || wasPaid === true;
}

/** True while a payment of the order is being sent. */
export function isBeingPaid({ attempts }: Pick<StoredOrder, 'attempts'>): boolean {
  return attempts.some(({ state }) => state.status === 'in_flight');
}

/**
 * True for an order that the gateway is asked about before another payment of it is sent: it may charge for an earlier
 * attempt, or notified of something that no counted query has followed.
 */
export function mustAskFirst({ attempts, notices, noticed }: StoredOrder): boolean {
  return attempts.some(isWatched) || (notices > noticed && attempts.some(wasSent));
}

/** The transactions that paid an order. */
export function transactionIdsOf({ payments }: Pick<StoredOrder, 'payments'>): string[] {
  return payments.map(({ transaction_id }) => transaction_id);
}

/** The payments of the order's sessions that the gateway itself proved. */
export function provedPayments({ payments }: Pick<StoredOrder, 'payments'>): OrderPayment[] {
  return payments.filter((payment) => isProved(payment) && !isRenewal(payment));
}

/** True for an order that the gateway may have records of: something was sent for it, or a contract may be charged under its number. */
export function mayHaveRecords({ attempts, payments }: Pick<StoredOrder, 'attempts' | 'payments'>): boolean {
  return attempts.some(wasSent) || payments.some(({ recurring_id }) => recurring_id !== undefined);
}

/** True for what the gateway's signed answer or a record proves. */
export function isProved({ proof, unsigned }: Pick<OrderPayment, 'proof' | 'unsigned'>): boolean {
  return proof !== 'person' && unsigned === undefined;
}

/** True for a later charge of a contract. */
export function isRenewal({ origin }: Pick<OrderPayment, 'origin'>): boolean {
  return origin === 'renewal';
}

/** The session with this id. Throws TypeError where the order has none: it was loaded with all of them. */
export function sessionOf({ sessions }: StoredOrder, id: string): Session {
  const session = sessions.find((one) => one.id === id);
  if (!session) throw new TypeError('the order has no such session');
  return session;
}

/** The attempt with this id. Throws TypeError where the order has none. */
export function attemptOf({ attempts }: StoredOrder, id: string): Attempt {
  const attempt = attempts.find((one) => one.id === id);
  if (!attempt) throw new TypeError('the order has no such attempt');
  return attempt;
}
