import { sent } from '../../store/fixtures.ts';
import type { Store } from '../../../relay/store/store.ts';
import type { ServerResponse } from '../http/http-server.ts';
import { until } from '../time/until.ts';

/** The answer of a receiver whose webhooks a test gives up: none of them is sent again meanwhile. */
export const refuse = (res: ServerResponse): unknown => res.writeHead(410, { 'retry-after': '86400' }).end();

/** Waits until so many webhooks were sent to a receiver that refuses them, and gives them up as the relay does a day later. */
export async function giveUp(store: Store, count: number, account = 'demo'): Promise<void> {
  const refused = async () =>
    (await store.outbox.list({ account, status: 'pending', limit: 1000 })).filter(({ delivery }) => delivery.tries > 0);
  await until('all are refused', async () => (await refused()).length >= count);
  const failed_at = new Date().toISOString();
  for (const event of await refused()) {
    const { tries } = event.delivery;
    await store.outbox.writeDelivery(sent(event), { status: 'failed', tries, failed_at, reason: 'http_410' });
  }
}
