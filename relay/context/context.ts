import type { ProblemCode } from '../../shared/checkout/problem.ts';
import type { OrderRecord } from '../../shared/gateway/query.ts';
import type { SharedWork } from '../base/concurrency.ts';
import { ProblemError } from '../base/errors.ts';
import type { NewId } from '../base/ids.ts';
import type { Logger } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import type { Outages } from '../base/outages.ts';
import { createWakeUp, type WakeUp } from '../base/polling.ts';
import type { Tracer } from '../base/tracing.ts';
import type { Account, Config } from '../config/load.ts';
import type { Call, LongCall } from '../gateway/call.ts';
import type { Signer } from '../gateway/signing/signer.ts';
import type { Moment } from '../payments/absence-clock.ts';
import type { Quota } from '../payments/attempt.ts';
import { type StoredOrder, transactionIdsOf } from '../payments/order.ts';
import type { Claim } from '../store/facets/keys.ts';
import type { StoredRequest } from '../store/facets/logs/requests.ts';
import type { OrderKey } from '../store/facets/orders.ts';
import type { Place } from '../store/facets/retention.ts';
import type { Lease } from '../store/leases.ts';
import type { Store } from '../store/store.ts';

/** Wakes the pollers of the store: for orders and notifications that are due, and for the webhooks of an account's endpoint. */
type WakeUps = { reconciliation: WakeUp; notices: WakeUp; delivery(account: string, endpoint: string): WakeUp };

/** Wake-ups of one relay, with one for each endpoint's webhooks. */
export function createWakeUps(): WakeUps {
  const deliveries = new Map<string, WakeUp>();
  return {
    reconciliation: createWakeUp(),
    notices: createWakeUp(),
    delivery(account, endpoint) {
      const key = `${account}/${endpoint}`;
      const wakeUp = deliveries.get(key) ?? createWakeUp();
      deliveries.set(key, wakeUp);
      return wakeUp;
    },
  };
}

/** What an outcome is of, as the log names it. */
export type Subject = { operation: string } | { session: string; attempt: string };

/** Outcomes that are known and could not be stored yet. `write` may be called until it is fulfilled once. */
export type LateWrites = { add(of: Subject, write: () => Promise<unknown>): void };

/** Requests that were answered, on their way to the store. It never waits, and never fails. */
export type RequestLog = { add(request: StoredRequest): void };

/** An attempt that was not sent, because the store did not confirm it; `quotas` count it from `started_at` (ISO 8601) on. */
export type UnsentAttempt = OrderKey & {
  session: string;
  attempt: string;
  started_at: string;
  quotas: readonly Quota[];
};
export type UnsentWork = UnsentAttempt | { operation: string };

/**
 * What was not sent and may be in the store, oldest first: since when, and when the store is next searched for it, in milliseconds of the
 * monotonic clock.
 */
export type UnsentList = Set<{ readonly unsent: UnsentWork; readonly since: number; dueAt: number }>;

/** Claims of keys that led to nothing, and that the store failed to give back; `releasedAt` (`monotonic`) is when it first did. */
export type KeysToRelease = Set<{ readonly claim: Claim; releasedAt?: number }>;

/** When the gateway answered a query, and a refund search, of each account last, by `monotonic`. */
export type LastAnswers = Readonly<Record<'query' | 'refund_search', Map<string, number>>>;

export const createLastAnswers = (): LastAnswers => ({ query: new Map(), refund_search: new Map() });

/** Everything that the relay's layers share; the clock is in it so that tests can hold it. */
export type Context = {
  config: Config;
  store: Store;
  call: Call;
  longCall: LongCall;
  signer: Signer;
  log: Logger;
  metrics: Metrics;
  outages: Outages;
  tracer: Tracer;
  wakeUps: WakeUps;
  lastAnswers: LastAnswers;
  /** The accounts, each with a list of names, whose failed query is being split to find the name at fault. */
  splitQueries: Set<string>;
  /** Queries about single orders: one at a time, shared by all who wait for the next. */
  queries: SharedWork<readonly OrderRecord[] | undefined>;
  lateWrites: LateWrites;
  requestLog: RequestLog;
  unsent: UnsentList;
  /** When this process began its attempts and operations of late, by `monotonic`, the oldest first. */
  begunLately: Map<string, number>;
  keysToRelease: KeysToRelease;
  /** How many requests each limited API key may make now, and at which moment of `monotonic` that was so. */
  rateBuckets: Map<string, { left: number; at: number }>;
  /** How far the deletion of each kind of old rows has come. */
  retentionPlaces: Map<string, Place>;
  newId: NewId;
  now: () => Date;
  /** Milliseconds by a monotonic clock: it measures waiting, and means nothing in another process. */
  monotonic: () => number;
  /** Tells this run of the relay from all others. */
  processId: string;
  /** When this run began. */
  started: Moment;
};

/** This moment, as this process sees it. */
export function momentOf({ now, monotonic, processId }: Pick<Context, 'now' | 'monotonic' | 'processId'>): Moment {
  return { at: now().toISOString(), process: processId, monotonic_ms: Math.round(monotonic()) };
}

/**
 * The earlier of the clock and what the monotonic clock tells since this run began. By it something ends for good: a clock that is
 * set ahead meanwhile ends nothing early.
 */
export function nowWithoutJumps({ now, monotonic, started }: Pick<Context, 'now' | 'monotonic' | 'started'>): Date {
  const measured = Date.parse(started.at) + monotonic() - started.monotonic_ms;
  return new Date(Math.min(now().getTime(), measured));
}

/** The account that a session belongs to. Throws ProblemError when the configuration no longer has it. */
export function accountOf(context: Context, id: string): Account {
  const account = context.config.accounts.find((entry) => entry.id === id);
  if (!account) throw new ProblemError('not_found', 'The account of this session is no longer configured.');
  return account;
}

/** An account's order as it is now. Throws ProblemError `not_found` where there is none, and StoreError. */
export async function ownOrder({ store }: Context, account: Account, orderNo: string): Promise<StoredOrder> {
  const order = await store.orders.get(account.id, orderNo);
  if (order.sessions.length > 0 || order.payments.length > 0) return order;
  throw new ProblemError('not_found', 'This account has no order with this order_no.');
}

/** Throws ProblemError where the configuration lets nothing be changed at the gateway. */
export function checkNotPaused({ config }: Context, code: ProblemCode = 'relay_paused'): void {
  if (config.paused) throw new ProblemError(code, 'The relay is paused, so nothing was sent. Try again later.');
}

/** Longer than any share of work can take: a relay that holds one for so long has crashed. */
const leaseMs = (timeoutMs: number): number => timeoutMs + 30_000;

/** A share of the work on what is stored, from now on, of at most `limit` things. */
export function leaseOf({ config, now }: Context, limit: number): Lease {
  const start = now();
  const until = new Date(start.getTime() + leaseMs(config.gateway.timeout_ms));
  return { now: start.toISOString(), until: until.toISOString(), limit };
}

/** What refunds took of payments, by their transaction_id, in minor units. It has none of which they took nothing. */
export type Refunded = ReadonlyMap<string, bigint>;

/** What refunds took of an order's payments; what is not known yet counts. Throws StoreError. */
export async function refundedOf(context: Context, order: StoredOrder): Promise<Refunded> {
  const { account, sessions } = order;
  return refundedOfPayments(context, account, [
    ...transactionIdsOf(order),
    ...sessions.flatMap(({ state }) => (state.status === 'approved' ? [state.transaction_id] : [])),
  ]);
}

/** The same of an account's payments, in one read. Throws StoreError. */
export async function refundedOfPayments(
  { store }: Context,
  account: string,
  transactionIds: readonly string[],
): Promise<Refunded> {
  const ids = [...new Set(transactionIds)];
  const sums = ids.length === 0 ? [] : await store.operations.refunded(account, ids);
  return new Map(sums.map(({ transaction_id, sum }) => [transaction_id, sum]));
}
