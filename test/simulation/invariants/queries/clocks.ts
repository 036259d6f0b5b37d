import { sessionOf } from '../../../../relay/payments/order.ts';
import type { Sending } from '../../world/gateway/gateway.ts';
import { isAboutOrders, isSuccess, ordersOf } from '../../world/gateway/queries.ts';
import { accountOf, storedOrder } from '../../world/orders.ts';
import type { Scene } from '../../world/scene.ts';
import type { QueryLog } from './query-log.ts';

/** The maximum delay that a clock which was ahead may cause, and how late relays' timers may be in addition. */
const DELAY_MS = 60_000;
const LATE_MS = 10_000;

/** The maximum difference between the clocks of several relays. */
const SKEW_MS = 1000;

/** How long an order may be unknown without an alarm, and how late an idle relay may raise it. */
const GIVE_UP_MS = 86_400_000;
const ALARM_LATE_MS = 3_600_000;

/**
 * A clock that was ahead delays nothing by more than a minute: an order whose query that clock planned much later is
 * queried soon after the clock is right again, and an unknown payment raises an alarm a day after that at the latest. A
 * gateway that does not answer delays the other orders of the account, whose queries follow one after another. Orders
 * of an account that is not configured are not queried.
 */
export function watchClocks({ world, settings, gateway, relays, store, orders }: Scene, log: QueryLog): void {
  const { clock } = world;
  /** The time of each account's last failed query, and its last query. */
  const failedAt = new Map<string, number>();
  const last = new Map<string, Sending>();
  gateway.watch({
    sent(sending) {
      if (!isAboutOrders(sending)) return;
      for (const order of ordersOf(gateway.books, sending.message)) last.set(accountOf(order), sending);
    },
    received(sending) {
      if (!isAboutOrders(sending) || isSuccess(sending.received?.answer)) return;
      for (const order of ordersOf(gateway.books, sending.message)) failedAt.set(accountOf(order), clock.now());
    },
  });
  const isSilent = (account: string, since: number): boolean => {
    const sending = last.get(account);
    return (
      (failedAt.get(account) ?? 0) >= since || (sending !== undefined && !sending.received && !sending.owner.life.dead)
    );
  };
  const isConfigured = (order: string): boolean =>
    settings.current().accounts.some(({ id }) => id === accountOf(order));
  const check = async (order: string, since: number, disturbed: number): Promise<void> => {
    if (relays.disturbances() !== disturbed || relays.clocks.wereWrong(since + 1)) return;
    if (log.of(order).some(({ at }) => at >= since) || isSilent(accountOf(order), since)) return;
    // A query that was running decided it, or planned the next one by a clock that was right.
    const { hold, planned_at = '' } = await storedOrder(store, order);
    const planned = Date.parse(planned_at);
    if (hold !== 'held' || (planned >= since - SKEW_MS && planned <= clock.now() + SKEW_MS)) return;
    world.breach('a wrong clock delays nothing', `${order} is not asked about since a clock is right again`);
  };
  const look = async (since: number, wasAhead: number): Promise<void> => {
    for (const order of [...orders]) {
      const { hold, next_query_at, planned_at } = await storedOrder(store, order);
      // By now a relay with the right clock since then has started.
      const disturbed = relays.disturbances();
      if (hold !== 'held' || next_query_at === undefined || planned_at === undefined || !isConfigured(order)) continue;
      // A right clock planned it for that time.
      if (Date.parse(planned_at) <= since + Math.min(wasAhead / 2, DELAY_MS)) continue;
      clock.at(since + DELAY_MS, () => clock.stir());
      clock.at(since + DELAY_MS + LATE_MS, () => void check(order, since, disturbed));
    }
  };
  const alarm = async (order: string, session: string, since: number, search: string): Promise<void> => {
    if (relays.clocks.wereWrong(since + 1) || !isConfigured(order)) return;
    const { state } = sessionOf(await storedOrder(store, order), session);
    if (state.status !== 'unknown' || state.search.needs_attention || state.search.since !== search) return;
    world.breach('a wrong clock delays nothing', `${session} of ${order} is unknown for a day without an alarm`);
  };
  const lookForUnknown = async (since: number): Promise<void> => {
    for (const order of [...orders]) {
      for (const { id, state } of (await storedOrder(store, order)).sessions) {
        if (state.status !== 'unknown' || Date.parse(state.search.since) <= since + 2 * GIVE_UP_MS) continue;
        // A day counts from the first query that sees the right clock.
        clock.at(since + GIVE_UP_MS + DELAY_MS, () => clock.stir());
        clock.at(since + GIVE_UP_MS + ALARM_LATE_MS - DELAY_MS, () => clock.stir());
        clock.at(since + GIVE_UP_MS + ALARM_LATE_MS, () => void alarm(order, id, since, state.search.since));
      }
    }
  };
  relays.clocks.onRight((_at, wasAhead) => {
    if (wasAhead <= DELAY_MS) return;
    void look(clock.now(), wasAhead);
    void lookForUnknown(clock.now());
  });
}
