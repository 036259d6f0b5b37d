import type { ProblemCode } from '../../shared/checkout/problem-codes.ts';
import type { OrderRecord } from '../../shared/gateway/query.ts';
import { ProblemError } from '../base/errors.ts';
import type { NewId } from '../base/ids.ts';
import type { Logger } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import type { Outages } from '../base/outages.ts';
import { createWakeUp, type WakeUp } from '../base/polling.ts';
import type { SharedWork } from '../base/shared-work.ts';
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

/** The subject of an outcome, as the log names it. */
export type Subject = { operation: string } | { session: string; attempt: string };

/** Known outcomes that could not be stored yet. `write` is called until it succeeds once. */
export type LateWrites = { add(of: Subject, write: () => Promise<unknown>): void };

/** Adds answered requests to the request log. It never waits and never fails. */
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
 * Unsent work that may be in the store, oldest first: since when it waits, and when the store is next searched for it, in milliseconds of
 * the monotonic clock.
 */
export type UnsentList = Set<{ readonly unsent: UnsentWork; readonly since: number; dueAt: number }>;

/** Claims of keys without a result that the store failed to release; `releasedAt` (`monotonic`) is the time of the first release. */
export type KeysToRelease = Set<{ readonly claim: Claim; releasedAt?: number }>;

/** When the gateway last answered a query and a refund search of each account, by `monotonic`. */
export type LastAnswers = Readonly<Record<'query' | 'refund_search', Map<string, number>>>;

export const createLastAnswers = (): LastAnswers => ({ query: new Map(), refund_search: new Map() });

/** The values that the relay's layers share. The clock is one of them, so that tests can set it. */
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
  /** The accounts, each with its list of names, whose failed query is being split to find the wrong name. */
  splitQueries: Set<string>;
  /** Queries about single orders: one at a time for each order, shared by the callers that wait for the next. */
  queries: SharedWork<readonly OrderRecord[] | undefined>;
  lateWrites: LateWrites;
  requestLog: RequestLog;
  unsent: UnsentList;
  /** The times, by `monotonic`, at which this process began its latest attempts and operations, oldest first. */
  begunLately: Map<string, number>;
  keysToRelease: KeysToRelease;
  /** The number of requests that each limited API key has left, and the time of `monotonic` of that number. */
  rateBuckets: Map<string, { left: number; at: number }>;
  /** The place that each kind's walk of retention has reached. */
  retentionPlaces: Map<string, Place>;
  newId: NewId;
  now: () => Date;
  /** Milliseconds of a monotonic clock, for durations. The values have no meaning in another process. */
  monotonic: () => number;
  /** Distinguishes this run of the relay from all others. */
  processId: string;
  /** When this run began. */
  started: Moment;
};

/** The present time, by the clocks of this process. */
export function momentOf({ now, monotonic, processId }: Pick<Context, 'now' | 'monotonic' | 'processId'>): Moment {
  return { at: now().toISOString(), process: processId, monotonic_ms: Math.round(monotonic()) };
}

/**
 * The earlier of two times: of the clock, and of the start plus the monotonic duration since. Final ends use it, so that a clock that is set
 * ahead ends nothing early.
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

/** An account's order as it is now. Throws ProblemError `not_found` if there is none, and StoreError. */
export async function ownOrder({ store }: Context, account: Account, orderNo: string): Promise<StoredOrder> {
  const order = await store.orders.get(account.id, orderNo);
  if (order.sessions.length > 0 || order.payments.length > 0) return order;
  throw new ProblemError('not_found', 'This account has no order with this order_no.');
}

/** Throws ProblemError if the relay is paused: nothing is changed at the gateway. */
export function checkNotPaused({ config }: Context, code: ProblemCode = 'relay_paused'): void {
  if (config.paused) throw new ProblemError(code, 'The relay is paused, so nothing was sent. Try again later.');
}

/** Longer than any leased work can take: a relay that holds a lease for so long has crashed. */
const leaseMs = (timeoutMs: number): number => timeoutMs + 30_000;

/** A lease on at most `limit` items of stored work, from now on. */
export function leaseOf({ config, now }: Context, limit: number): Lease {
  const start = now();
  const until = new Date(start.getTime() + leaseMs(config.gateway.timeout_ms));
  return { now: start.toISOString(), until: until.toISOString(), limit };
}

/** The refunded sums of payments, by transaction_id, in minor units. Payments without refunds have no entry. */
export type Refunded = ReadonlyMap<string, bigint>;

/** The refunded sums of an order's payments, with unknown refunds. Throws StoreError. */
export async function refundedOf(context: Context, order: StoredOrder): Promise<Refunded> {
  const { account, sessions } = order;
  return refundedOfPayments(context, account, [
    ...transactionIdsOf(order),
    ...sessions.flatMap(({ state }) => (state.status === 'approved' ? [state.transaction_id] : [])),
  ]);
}

/** The refunded sums of an account's payments, in one read. Throws StoreError. */
export async function refundedOfPayments(
  { store }: Context,
  account: string,
  transactionIds: readonly string[],
): Promise<Refunded> {
  const ids = [...new Set(transactionIds)];
  const sums = ids.length === 0 ? [] : await store.operations.refunded(account, ids);
  return new Map(sums.map(({ transaction_id, sum }) => [transaction_id, sum]));
}
