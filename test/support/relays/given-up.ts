import { deliveryId } from '../../../relay/store/rows.ts';
import type { Store } from '../../../relay/store/store.ts';
import type { ServerResponse } from '../http/http-server.ts';
import { until } from '../time/until.ts';

/** The answer of a receiver whose webhooks a test gives up: none is sent again meanwhile. */
export const refuse = (res: ServerResponse): unknown => res.writeHead(410, { 'retry-after': '86400' }).end();

/**
 * Waits until this many webhooks were sent to a receiver that refuses them, and gives them up as the relay does a day
 * later.
 */
export async function giveUp(store: Store, count: number, account = 'demo'): Promise<void> {
  const refused = async () =>
    (await store.outbox.list({ account, status: 'pending', limit: 1000 })).filter(({ delivery }) => delivery.tries > 0);
  await until('all are refused', async () => (await refused()).length >= count);
  const failed_at = new Date().toISOString();
  for (const { id, subject, deliveries } of await refused()) {
    for (const { endpoint, delivery } of deliveries) {
      if (delivery.status !== 'pending' || delivery.tries === 0) continue;
      const own = deliveries.length > 1 ? { id: deliveryId(id, endpoint), event_id: id } : { id };
      const failed = { status: 'failed', tries: delivery.tries, failed_at, reason: 'http_410' } as const;
      await store.outbox.writeDelivery({ ...own, subject, endpoint }, failed);
    }
  }
}
