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

/** What holds an order: nothing, an undecided attempt or record, or a payment. At most one attempt of all its sessions holds an order. */
export type OrderHold = 'free' | 'held' | 'paid';

/** A transaction that paid an order. Times are ISO 8601 in UTC. */
export type OrderPayment = {
  transaction_id: string;
  amount: string;
  currency: string;
  /** The attempt that it is credited to. Absent if no attempt has the amount. */
  attempt_id?: string;
  /** The method of its attempt, kept here because old attempts are deleted. */
  method?: string;
  /** The gateway's answer, a record of a query, or only a person's decision. */
  proof: 'answer' | 'record' | 'person';
  /** The answer was not signed, so it does not prove its transaction: the order may have been paid by another one. */
  unsigned?: true;
  /** The gateway's own date if it is known. */
  date: string;
  recurring_id?: string;
  /** `renewal`: a later charge of a contract, which pays no order a second time. Absent for a payment of a session. */
  origin?: 'renewal';
  /** The shop was sent `session.paid_twice` to refund it. It stays a further payment when an attempt's answer claims it. */
  further?: true;
  /** The order_no that this transaction paid before: the gateway charged two orders under one transaction_id. */
  also_paid?: string;
  /** Its record in the last counted query in which the record's code had a meaning. */
  record?: PaymentRecord;
  /** The later `payment_status` of its record, without a meaning. */
  unclear?: string;
  /** Since when its record is awaited; `asked`: a counted query did not show it. */
  awaited?: { since: string; asked?: true };
  /** An operation of ours with an unknown outcome may explain the record: the events of the record wait. */
  undecided?: true;
  /** No query showed its record in time, and the shop was sent `payment.unconfirmed`. */
  unconfirmed?: true;
  /**
   * Whether `payment.ready` was sent; `withdrawn`: the payment was reversed after that. Absent if it is never sent: for a further
   * payment of the order, and for a payment of an earlier version of the relay.
   */
  ready?: 'due' | 'sent' | 'withdrawn';
  /** The status in the last webhook, and the time of that webhook. Absent while the record has none. */
  told?: PaymentStatus;
  told_at?: string;
  /** A person's decision about the payment. It holds while its record says the same (`recordKey`). */
  decided?: { outcome: 'confirmed' | 'reversed'; record?: string; by: string; at: string; note: string };
};

/** A later charge of a contract that the order's payment began, by its record. Times are ISO 8601. */
export type ContractCharge = {
  transaction_id: string;
  recurring_id: string;
  order_no: string;
  amount: string;
  currency: string;
  date: string;
  /** When its webhook was written. */
  told_at: string;
  /** Why the gateway declined it. */
  failed?: Result;
  /** The person who acknowledged the failure. */
  acknowledged?: Settler;
};

/** An undecided record, with the fields that show a later change. */
export type SeenRecord = {
  transaction_id: string;
  payment_status: string;
  amount: string;
  currency: string;
  /** Distinguishes records without a transaction_id (ISO 8601). */
  date?: string;
  /** The attempt that the record probably belongs to. */
  attempt_id?: string;
};

/** Why the records of a query hold an order that is not paid. */
export type HoldReason = (typeof holdReasons)[number];

/** The queries about one order. Times are ISO 8601. */
type QueryLog = {
  /** When the last query began, and whether it counted. */
  last?: { at: string; counted: boolean; fault?: string };
  /** When the last counted query began, if a later one did not count. */
  counted?: string;
  /** How many queries in a row did not count. */
  failures: number;
  /** A query failed because of this order alone, which is queried apart from others until a query counts. */
  apart?: true;
  /** When a query first saw a time of the order in the future, set by a clock that was ahead. */
  ahead?: string;
};

/** Everything that is known of one order. `version` grows with every change of the order, its sessions and its attempts. */
export type StoredOrder = {
  account: string;
  order_no: string;
  version: number;
  hold: OrderHold;
  /** The transactions that paid it, the first one first. */
  payments: readonly OrderPayment[];
  /** It was paid by a transaction that is no longer kept. */
  wasPaid?: true;
  /** The later charges of the contracts that its payments began. */
  charges?: readonly ContractCharge[];
  /** The transaction_ids of later charges that an earlier version reported by `notification.received`: they are not reported again. */
  told_charges?: readonly string[];
  /** The undecided records of the last counted query, and why they hold the order; `since` is ISO 8601. */
  undecided?: { reason: HoldReason; since: string; records: readonly SeenRecord[] };
  /** The undecided records that a person decided: they no longer hold the order unless they change. */
  decided: readonly SeenRecord[];
  queries: QueryLog;
  /** Notifications that named the order, and how many of them a counted query has followed. */
  notices: number;
  noticed: number;
  /**
   * The repeated queries after the latest notification: when the first one began, and when the next one is due (ISO 8601). Absent after
   * a change of the order or the last repetition.
   */
  repeats?: { since: string; next_at: string };
  /** The time of the next query, and when that was planned (ISO 8601): a clock that was ahead planned it too late. */
  next_query_at?: string;
  planned_at?: string;
  sessions: readonly Session[];
  /** Every attempt ever made to pay it, the oldest first. */
  attempts: readonly Attempt[];
};

/** The settings that the rules depend on, besides the order, its records and the time. */
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
  /** How long after its start an attempt in flight counts as orphaned, in milliseconds. */
  orphanedMs: number;
  resolve: Record<'first_ms' | 'max_ms' | 'absent_ms' | 'give_up_ms' | 'return_ms' | 'confirm_ms', number> & {
    paid_days: readonly number[];
  };
  /** Alternative methods that take another time than `return_ms`, in milliseconds by their names. */
  returnMs: Readonly<Record<string, number>>;
};

/**
 * The result of one query about an order. `begun` is when it began: it proves nothing about attempts that were sent later. `notices`
 * is the number of the order's notifications by then. A query that does not count may have records, which prove what they say.
 */
export type OrderQuery = { begun: Moment; notices: number; histories?: Histories } & (
  | { counted: true; records: readonly OrderRecord[] }
  | { counted: false; fault: QueryFault; apart?: boolean; records?: readonly OrderRecord[] }
);

/** A new order. */
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
 * True for an order that is queried before another payment of it is sent: the gateway may charge for an earlier attempt, or sent a
 * notification that no counted query has followed.
 */
export function needsQueryFirst({ attempts, notices, noticed }: StoredOrder): boolean {
  return attempts.some(isWatched) || (notices > noticed && attempts.some(wasSent));
}

/** The transactions that paid an order. */
export function transactionIdsOf({ payments }: Pick<StoredOrder, 'payments'>): string[] {
  return payments.map(({ transaction_id }) => transaction_id);
}

/** The payments that the gateway proved, without later charges: the first one counts, the others are to be given back. */
export function provedPayments({ payments }: Pick<StoredOrder, 'payments'>): OrderPayment[] {
  return payments.filter((payment) => isProved(payment) && !isRenewal(payment)).toSorted(furtherLast);
}

/**
 * Compares two payments of an order by which of them the shop refunds if both pay it: first a payment of an attempt, then one that no
 * attempt of the order sent, then one that was reported for refund. Equal ones stay in the order of their arrival.
 */
export function furtherLast(one: OrderPayment, another: OrderPayment): number {
  return furtherRank(one) - furtherRank(another);
}

function furtherRank({ attempt_id, further }: OrderPayment): number {
  return further ? 2 : Number(attempt_id === undefined);
}

/** True for an order that the gateway may have records of: an attempt was sent, or a contract may be charged under its number. */
export function mayHaveRecords({ attempts, payments }: Pick<StoredOrder, 'attempts' | 'payments'>): boolean {
  return attempts.some(wasSent) || payments.some(({ recurring_id }) => recurring_id !== undefined);
}

/** True for a payment that the gateway's signed answer or a record proves. */
export function isProved({ proof, unsigned }: Pick<OrderPayment, 'proof' | 'unsigned'>): boolean {
  return proof !== 'person' && unsigned === undefined;
}

/** True for a later charge of a contract. */
export function isRenewal({ origin }: Pick<OrderPayment, 'origin'>): boolean {
  return origin === 'renewal';
}

/** The session with this id. Throws TypeError if the order has none: it was loaded with all of them. */
export function sessionOf({ sessions }: StoredOrder, id: string): Session {
  const session = sessions.find((one) => one.id === id);
  if (!session) throw new TypeError('the order has no such session');
  return session;
}

/** The attempt with this id. Throws TypeError if the order has none. */
export function attemptOf({ attempts }: StoredOrder, id: string): Attempt {
  const attempt = attempts.find((one) => one.id === id);
  if (!attempt) throw new TypeError('the order has no such attempt');
  return attempt;
}
