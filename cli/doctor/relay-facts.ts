import type { Client, OrderWithTimeline } from '../../client/index.ts';
import type { Io } from '../base/io.ts';
import { type KnownOrder, recordOffsetsIn } from './time-zone.ts';

/** The relay's count of wrongly dated records: undefined where it has none, or gives no metrics. */
export async function recordOffsets(io: Io, relayUrl: string): Promise<number | undefined> {
  try {
    const response = await io.fetch(new URL('metrics', relayUrl.replace(/\/*$/, '/')).href, {
      signal: AbortSignal.timeout(10_000),
    });
    return response.ok ? recordOffsetsIn(await response.text()) : undefined;
  } catch {
    return undefined;
  }
}

/** Two paid orders, the newest ones, with when they were paid. Rejects as the client does. */
export async function paidOrders(client: Client): Promise<KnownOrder[]> {
  const { orders } = await client.orders.list({ status: 'paid', limit: 2 });
  return Promise.all(
    orders.map(async ({ order_no }) => {
      const paidAt = paidAtIn(await client.orders.get(order_no));
      return { orderNo: order_no, ...(paidAt ? { paidAt } : {}) };
    }),
  );
}

/** When an order was paid, where no other attempt makes it doubtful. */
function paidAtIn({ timeline }: OrderWithTimeline): Date | undefined {
  const [attempt, ...others] = timeline.filter(({ type }) => type === 'attempt');
  return attempt === undefined || others.length > 0 ? undefined : new Date(attempt.at);
}
