import { createAccountWork, type Polling, startPolling } from '../base/polling.ts';
import { updateOrder } from '../commit/commit.ts';
import { rulesOf } from '../config/rules.ts';
import { createClockWatch } from '../context/clock-watch.ts';
import { accountOf, type Context, leaseOf } from '../context/context.ts';
import { orphanAttempt, stillInFlight } from '../payments/answer.ts';
import { isBeingPaid, type StoredOrder } from '../payments/order.ts';
import { minQueryGap } from '../payments/schedule.ts';
import { expireSession } from '../payments/session-steps.ts';
import type { Decision } from '../payments/transitions.ts';
import type { OrderKey } from '../store/facets/orders.ts';
import { queryOrders } from './query-orders.ts';
import { applyQueries } from './reconcile.ts';
import { isBeingSent } from './send-window.ts';
import { isUnsent } from './unsent.ts';

/** Orders in one query (§8). */
const BATCH = 100;

/** The time between two polls; shorter if the first query about an unknown session is due sooner. */
const MAX_PAUSE_MS = 500;

/** The work on orders that no request asks for. */
type Poller = {
  /**
   * Closes sessions whose time is over, begins the due queries, and takes over orders whose relay stopped while it paid them. Does not
   * wait for the queries: a gateway that is slow for one account delays no other account. No query begins after `stopping` is aborted.
   * Throws StoreError.
   */
  poll(stopping?: AbortSignal): Promise<void>;
  /** Waits for the queries that run. */
  idle(): Promise<void>;
};

/** The state of one account's gateway: its failures in a row, and until when it is not queried, by the monotonic clock. */
type Gateway = { failures: number; pausedUntil: number };

export function createPoller(context: Context): Poller {
  const { store, config } = context;
  const runs = createAccountWork(context.log, 'reconciliation');
  const gateways = new Map<string, Gateway>();
  const watchClock = createClockWatch(context);

  const gatewayOf = (account: string): Gateway => {
    const known = gateways.get(account) ?? {
      failures: 0,
      pausedUntil: Number.NEGATIVE_INFINITY,
    };
    gateways.set(account, known);
    return known;
  };

  /** Failures that no order explains back off as one, for all orders of the account. */
  const backOff = (gateway: Gateway): void => {
    const { first_ms, max_ms } = config.resolve;
    const wait = Math.min(max_ms, first_ms * 2 ** Math.min(gateway.failures, 30));
    gateway.failures += 1;
    gateway.pausedUntil = context.monotonic() + wait;
  };

  const leaseDue = (accounts: readonly string[]): Promise<OrderKey[]> => {
    const lease = leaseOf(context, BATCH);
    const quietSince = new Date(Date.parse(lease.now) - minQueryGap(rulesOf(context.config))).toISOString();
    return store.orders.leaseDue(lease, accounts, quietSince);
  };

  /** Frees orders that were not queried. */
  const release = async (account: string, orderNos: readonly string[]): Promise<void> => {
    const now = context.now().toISOString();
    for (const order_no of orderNos) await store.orders.release({ account, order_no }, now);
  };

  const queryLeased = async (accountId: string, keys: readonly OrderKey[], stopping?: AbortSignal): Promise<void> => {
    const account = accountOf(context, accountId);
    const gateway = gatewayOf(accountId);
    const leased = await store.orders.getMany(
      accountId,
      keys.map(({ order_no }) => order_no),
    );
    for (const order of leased.filter(isBeingPaid)) await takeOver(context, order);
    const orders = leased.filter((order) => !isBeingPaid(order));
    if (orders.length === 0) return;
    const byNumber = new Map(orders.map((order) => [order.order_no, order]));
    const keep = (orderNos: readonly string[]): Promise<unknown> =>
      store.orders.renewLeases(
        orderNos.map((order_no) => ({ account: accountId, order_no })),
        leaseOf(context, BATCH),
      );
    let isAnswered = false;
    let isOwn = false;
    const query = async (orderNos: readonly string[], later: readonly string[]): Promise<void> => {
      if (stopping?.aborted) return release(accountId, orderNos);
      await queryOrders(context, account, orderNos, {
        async apply(answers, begun) {
          for (const one of answers.values()) {
            if (one.counted) isAnswered = true;
            else if (one.own) isOwn = true;
          }
          const of = [...answers].flatMap(([orderNo, one]) => {
            const before = byNumber.get(orderNo);
            return before ? [{ before, answer: one }] : [];
          });
          await applyQueries(context, accountId, of, begun);
        },
        keep: (left) => keep([...left, ...later]),
        stopping,
      });
    };
    // An order that made a query fail is queried apart from the others.
    const [apart, others] = [true, false].map((isApart) =>
      orders.filter(({ queries }) => (queries.apart === true) === isApart).map(({ order_no }) => order_no),
    );
    if (others && others.length > 0) await query(others, apart ?? []);
    if (apart && apart.length > 0) {
      await keep(apart);
      await query(apart, []);
    }
    if (isAnswered) gateway.failures = 0;
    // If an order caused the failure, the gateway may be up or down.
    else if (!isOwn) backOff(gateway);
  };

  const poll = async (accountId: string, first: readonly OrderKey[], stopping?: AbortSignal): Promise<void> => {
    for (let keys = first; keys.length > 0; ) {
      await queryLeased(accountId, keys, stopping);
      const isPaused = gatewayOf(accountId).pausedUntil > context.monotonic();
      if (stopping?.aborted || keys.length < BATCH || isPaused) return;
      keys = await leaseDue([accountId]);
    }
  };

  return {
    async poll(stopping) {
      watchClock();
      await closeExpired(context);
      const idle = config.accounts
        .map(({ id }) => id)
        .filter((id) => runs.isIdle(id) && gatewayOf(id).pausedUntil <= context.monotonic());
      if (idle.length === 0) return;
      const due = await leaseDue(idle);
      for (const [account, keys] of Map.groupBy(due, (key) => key.account)) {
        runs.start(account, () => poll(account, keys, stopping));
      }
    },
    idle: runs.idle,
  };
}

/** Polls until stopped. `stop` waits for the running poll and its queries. */
export function startPoller(context: Context): Polling {
  const poller = createPoller(context);
  const everyMs = Math.min(MAX_PAUSE_MS, context.config.resolve.first_ms);
  const polling = startPolling(
    context.log,
    'reconciliation',
    everyMs,
    (stopping) => poller.poll(stopping),
    context.wakeUps.reconciliation,
  );
  return {
    ...polling,
    async stop() {
      await polling.stop();
      await poller.idle();
    },
  };
}

/** Makes the order's payment unknown if the relay that was sending it has stopped. */
async function takeOver(context: Context, order: StoredOrder): Promise<void> {
  const rules = rulesOf(context.config);
  let orphaned: Decision | undefined;
  let isOurs = false;
  const later = (current: StoredOrder): Decision | undefined => {
    const sending = current.attempts.filter(({ state }) => state.status === 'in_flight');
    // It has just become visible in the store: it is recorded as not sent.
    if (sending.some(({ id }) => isUnsent(context, id))) return undefined;
    // The clock was set while this process sends it.
    isOurs = sending.some(({ id }) => isBeingSent(context, id));
    if (isOurs) return undefined;
    orphaned = orphanAttempt(current, context.now(), rules);
    return orphaned ?? stillInFlight(current, context.now(), rules);
  };
  await updateOrder(context, order, later, () => ({ release: context.now().toISOString() }));
  // A notification made it due. The query begins as soon as the payment's answer is stored.
  if (isOurs) await context.store.orders.release(order, context.now().toISOString());
  if (!orphaned) return;
  context.log.warn({ session: order.sessions.at(-1)?.id }, 'payment left by a stopped relay; querying the gateway');
}

async function closeExpired(context: Context): Promise<void> {
  for (const session of await context.store.sessions.leaseExpirable(leaseOf(context, BATCH))) {
    await updateOrder(context, session, (order) => expireSession(order, session.id));
  }
}
