import { expect, it } from 'vitest';
import { createClient } from '../../client/index.ts';
import { fillOrders } from '../../sandbox/demo-orders.ts';
import { apiKey } from '../support/relay.ts';
import { startStack } from '../support/stack.ts';
import { until } from '../support/until.ts';

it('the sandbox fills a fresh relay with orders of every kind, once', async () => {
  const { relay, gateway } = await startStack();
  const stop = new AbortController();
  const terms = { url: relay.url, apiKey, signal: stop.signal };
  await fillOrders(terms);
  const client = createClient({ url: relay.url, apiKey });
  const statuses = async (): Promise<string[]> => {
    const found: string[] = [];
    for await (const { status } of client.orders.each({ limit: 100 })) found.push(status);
    return found;
  };
  await until('all are listed', async () => (await statuses()).length === 300);
  expect(new Set(await statuses())).toEqual(new Set(['paid', 'open', 'in_progress']));
  const { entries } = await client.audit.list({ limit: 1000 });
  expect(new Set(entries.map(({ action }) => action))).toEqual(new Set(['refund', 'session.expire']));
  const payments = gateway.payments.list().length;
  await fillOrders(terms);
  expect(gateway.payments.list()).toHaveLength(payments);
}, 120_000);
