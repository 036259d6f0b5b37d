import { randomBytes } from 'node:crypto';
import type { SessionCreated } from '../../client/index.ts';

export type Order = {
  order_no: string;
  tins: number;
  amount: string;
  currency: string;
  /** Its checkouts, kept for a shopper who comes back. */
  sessions: SessionCreated[];
  paid: boolean;
  parcels: number;
};

/** The shop's database. A real one keeps the two tables on disk: orders, and the webhooks that it has taken. */
export function createOrders() {
  const orders = new Map<string, Order>();
  const webhooks = new Set<string>();

  return {
    /** The amount is the server's to say, whatever a page sends. */
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
    /** The order is paid, and packed, if this is its price. */
    pay(order_no: string, { amount, currency }: Pick<Order, 'amount' | 'currency'>): void {
      const order = orders.get(order_no);
      if (!order || order.amount !== amount || order.currency !== currency) return;
      order.paid = true;
      order.parcels += 1;
    },
    /** False for a webhook that was taken before: each may come more than once. */
    take(webhookId: string): boolean {
      if (webhooks.has(webhookId)) return false;
      webhooks.add(webhookId);
      return true;
    },
  };
}
