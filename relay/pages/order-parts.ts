import type { Order } from '../../shared/checkout/session.ts';
import { type OrderParts, sumNames } from '../../shared/checkout/summary.ts';
import { fromMinor, isZero, toMinor } from '../../shared/gateway/amounts.ts';

/** A longer list would push everything else away, and make each page as heavy. */
const MAX_ITEMS = 30;

/**
 * What an order is made of, for the summary on the hosted page. Nothing where another `amount` is paid: the shop has changed the
 * order since.
 */
export function orderParts(order: Order, amount: string): OrderParts {
  if (order.amount !== amount) return { items: [], further: 0, sums: [] };
  const { currency, items = [] } = order;
  const shown = items.length > MAX_ITEMS ? items.slice(0, MAX_ITEMS) : items;
  return {
    items: shown.map(({ name, quantity, price }) => {
      const total = fromMinor(toMinor(price, currency) * BigInt(quantity), currency);
      return { name, quantity, price, total };
    }),
    further: items.length - shown.length,
    sums: sumNames.flatMap((name) => {
      const amount = order[name];
      return amount === undefined || isZero(amount) ? [] : [{ name, amount }];
    }),
  };
}
