import { setTimeout as after } from 'node:timers/promises';
import { z } from 'zod';
import type { Client } from '../../client/index.ts';
import type { PaymentActionName } from '../gateway/admin/payment-actions.ts';

const books = z.object({ payments: z.array(z.object({ order_no: z.string(), transaction_id: z.string() })) });

/** The maximum time until the relay has the change from the portal. */
const HEARD_MS = 20_000;
const LOOK_MS = 25;

/** The gateway's portal, in which a person acts on the first payment of an order. */
export type Portal = (order_no: string, action: PaymentActionName) => Promise<void>;

/** The portal of the gateway at an address, by its admin API. */
export function portalOf(gatewayUrl: string): Portal {
  return async (order_no, action) => {
    const { payments } = books.parse(await (await fetch(`${gatewayUrl}/admin/books`)).json());
    const payment = payments.find((one) => one.order_no === order_no);
    if (!payment) throw new TypeError(`the gateway has no payment of ${order_no}`);
    const path = `/admin/payments/${payment.transaction_id}/${action}`;
    const { ok, status } = await fetch(`${gatewayUrl}${path}`, { method: 'POST' });
    if (!ok) throw new TypeError(`${path}: ${status}`);
  };
}

/** Waits until an order at the relay meets a condition. */
export async function untilOrder(client: Client, order_no: string, isSo: (order: Order) => boolean): Promise<void> {
  const until = performance.now() + HEARD_MS;
  while (!isSo(await client.orders.get(order_no))) {
    if (performance.now() > until) throw new TypeError(`the relay did not receive the change of ${order_no}`);
    await after(LOOK_MS);
  }
}

type Order = Awaited<ReturnType<Client['orders']['get']>>;
