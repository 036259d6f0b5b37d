import { randomBytes } from 'node:crypto';
import type { SessionCreated } from '../../client/index.ts';

export type Order = {
  order_no: string;
  tins: number;
  amount: string;
  currency: string;
  /** The sessions of the order, for a shopper who returns. */
  sessions: SessionCreated[];
  paid: boolean;
  parcels: number;
};

/** The shop's database. A real one stores its two tables on disk: the orders, and the received webhooks. */
export function createOrders() {
  const orders = new Map<string, Order>();
  const webhooks = new Set<string>();

  return {
    /** The server decides the amount, whatever a page sends. */
    add(tins: number): Order {
      const order_no = `EX-${randomBytes(8).toString('hex').toUpperCase()}`;
      const order: Order = {
        order_no,
        tins,
        amount: `${65 * tins}.00`,
        currency: 'BRL',
        sessions: [],
        paid: false,
        parcels: 0,
      };
      orders.set(order_no, order);
      return order;
    },
    find: (order_no: string) => orders.get(order_no),
    /** The order is paid and can be packed, if the paid amount is its price. */
    pay(order_no: string, { amount, currency }: Pick<Order, 'amount' | 'currency'>): void {
      const order = orders.get(order_no);
      if (!order || order.amount !== amount || order.currency !== currency) return;
      order.paid = true;
      order.parcels += 1;
    },
    /** False for a webhook that was already received: each may come more than once. */
    take(webhookId: string): boolean {
      if (webhooks.has(webhookId)) return false;
      webhooks.add(webhookId);
      return true;
    },
  };
}
