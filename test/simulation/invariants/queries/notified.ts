import type { Transaction } from '../../world/gateway/books.ts';
import { isListedPaid } from '../../world/gateway/books.ts';
import { accountOf, storedOrder } from '../../world/orders.ts';
import type { Scene } from '../../world/scene.ts';
import { isHeldByClock } from '../held-by-clock.ts';
import type { QueryLog } from './query-log.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Older failures no longer delay the last query, because leases and back-off have ended. */
const CALM_MS = 10 * MINUTE_MS;

/** From this time on, the moments of the last query and of its result may fall, on a busy machine. */
const LAST_QUERY_MS = [0, 10_000, 20_000];

/**
 * An approval that a relay was notified of is known an hour later, if queries showed it by then. Exceptions: another
 * change of the order was found meanwhile, a person decided about it, its account left the configuration, or a query,
 * the gateway or a relay failed at one of the two moments that count, which are the first query after it and an hour
 * later. A later notification of the order restarts the hour.
 */
export function watchNotified(scene: Scene, log: QueryLog): void {
  const { world, notifications, relays, store, decided, onWritten, settings } = scene;
  const { clock } = world;
  const changes = new Map<string, number>();
  const lastTaken = new Map<string, number>();
  onWritten.push((before, after) => {
    const isSame = factsOf(before) === factsOf(after);
    if (!isSame) changes.set(after.order_no, (changes.get(after.order_no) ?? 0) + 1);
  });
  const isKnown = async ({ id, order_no }: Transaction): Promise<boolean> => {
    const order = await storedOrder(store, order_no);
    const isPayment = order.payments.some(({ transaction_id }) => transaction_id === id);
    return order.attempts.length === 0 || isPayment || isHeldByClock(scene, order);
  };
  notifications.onTaken.push((order_no, one) => {
    lastTaken.set(order_no, clock.now());
    if (one?.status !== 'approved' || one.laterOf !== undefined || one.nameless) return;
    const [takenAt, changed] = [clock.now(), changes.get(order_no)];
    let disturbed = relays.disturbances();
    let wasDisturbed = false;
    const noteTrouble = (): void => {
      wasDisturbed ||= relays.disturbances() !== disturbed;
    };
    clock.at(takenAt + MINUTE_MS, noteTrouble);
    // A relay that was down meanwhile finds the plan in the store.
    clock.at(takenAt + HOUR_MS - CALM_MS, () => {
      wasDisturbed ||= settings.current().accounts.every(({ id }) => id !== accountOf(order_no));
      disturbed = relays.disturbances();
    });
    const isPressing = (at: number): boolean =>
      (at >= takenAt && at < takenAt + MINUTE_MS) || at >= takenAt + HOUR_MS - CALM_MS;
    const hasFailed = (order: string): boolean => log.of(order).some(({ at, counts }) => isPressing(at) && !counts);
    // A relay whose queries of several orders get no answer queries all orders of the account later.
    const isDown = (): boolean =>
      [...scene.orders].filter((order) => accountOf(order) === accountOf(order_no) && hasFailed(order)).length > 1;
    const isTroubled = (): boolean =>
      changes.get(order_no) !== changed ||
      lastTaken.get(order_no) !== takenAt ||
      wasDisturbed ||
      relays.disturbances() !== disturbed ||
      relays.clocks.wereWrong(takenAt) ||
      decided.has(order_no) ||
      !log.of(order_no).some(({ at, counts }) => at >= takenAt && at < takenAt + MINUTE_MS && counts) ||
      hasFailed(order_no) ||
      isDown();
    const check = async (): Promise<void> => {
      if (isTroubled() || (await isKnown(one))) return;
      world.breach('a notification is followed', `${one.id} of ${order_no} is unknown an hour after it was notified`);
    };
    clock.at(takenAt + HOUR_MS - MINUTE_MS, () => {
      if (isTroubled() || !isListedPaid(world, one)) return;
      void isKnown(one).then((known) => {
        if (known) return;
        for (const ms of LAST_QUERY_MS) clock.at(takenAt + HOUR_MS + ms, clock.stir);
        clock.at(takenAt + HOUR_MS + MINUTE_MS, () => void check());
      });
    });
  });
}

/** The parts of an order that a query can change, as a text to compare. */
function factsOf({ attempts, payments, undecided }: Parameters<Scene['onWritten'][number]>[0]): string {
  const ids = payments.map(({ transaction_id }) => transaction_id);
  return JSON.stringify([attempts.map(({ state }) => state.status), ids, undecided?.records]);
}
