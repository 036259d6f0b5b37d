import type { BookRecord } from '../../world/gateway/books.ts';
import type { Sending } from '../../world/gateway/gateway.ts';
import { isAboutOrders, isBesideForeign, isSuccess, ordersOf } from '../../world/gateway/queries.ts';
import type { Scene } from '../../world/scene.ts';

/** The part of a query that concerns one order. */
type Asked = {
  began: number;
  at: number;
  ended?: number;
  endedAt?: number;
  /** Its records of the order were readable. They prove payments, even if the query does not count. */
  isRead: boolean;
  counts: boolean;
  records: BookRecord[];
  named: number;
};

/** The last queries about each order, oldest first. */
export type QueryLog = { of(orderNo: string): readonly Asked[] };

/**
 * The maximum number of stored queries of an order; readable ones are kept longer. Relays whose clocks differ may query
 * every second.
 */
const KEPT = 2000;

export function createQueryLog({ gateway }: Scene): QueryLog {
  const log = new Map<string, Asked[]>();
  const running = new Map<Sending, Map<string, Asked>>();
  gateway.watch({
    sent(sending) {
      if (!isAboutOrders(sending)) return;
      const { began, at, message } = sending;
      const orders = ordersOf(gateway.books, message);
      const asked = new Map(
        orders.map((order) => [
          order,
          { began, at, isRead: false, counts: false, records: [], named: orders.length } satisfies Asked,
        ]),
      );
      running.set(sending, asked);
      for (const [order, one] of asked) log.set(order, [...remembered(log.get(order) ?? []), one]);
    },
    received(sending) {
      const asked = running.get(sending);
      const { received } = sending;
      if (!asked || !received) return;
      running.delete(sending);
      const { answer, moment } = received;
      for (const [order, one] of asked) {
        one.ended = moment;
        one.endedAt = received.at;
        if (!isSuccess(answer)) continue;
        one.records = recordsIn(answer.message.orders_list).filter((record) => record.order_no === order);
        // A record that cannot be read makes the query useless for its own order.
        one.isRead = one.records.every(({ transaction_id }) => typeof transaction_id === 'string');
        if (!one.isRead) continue;
        one.counts = !isBesideForeign(answer);
        for (const { transaction_id, payment_status } of one.records) {
          const shown = gateway.books.transactions.find(({ id }) => id === transaction_id);
          if (shown && payment_status === '3000') shown.shown = true;
        }
      }
    },
  });
  return { of: (orderNo) => log.get(orderNo) ?? [] };
}

function remembered(queries: readonly Asked[]): readonly Asked[] {
  if (queries.length < KEPT) return queries;
  const proving = queries.slice(0, KEPT / 2).filter(({ isRead }) => isRead);
  // If nearly all were readable, the oldest are dropped.
  return [...proving.slice(-KEPT / 4), ...queries.slice(KEPT / 2)];
}

function recordsIn(list: unknown): BookRecord[] {
  return Array.isArray(list) ? list : [];
}
