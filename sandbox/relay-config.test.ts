import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { relayConfig } from './relay-config.ts';

const addresses = {
  port: 1,
  gatewayUrl: 'http://127.0.0.1:2',
  shopPort: 3,
  webhookUrl: 'http://127.0.0.1:3/webhooks',
  apiKey: 'the-key-itself',
  dataDir: './data',
};
const config = relayConfig(addresses);

test('the relay sends the shop, on loopback, the outcomes of its orders', () => {
  expect(config.webhooks).toEqual({ allow_private: true });
  expect(config.accounts).toMatchObject([{ webhook: { url: 'http://127.0.0.1:3/webhooks' } }]);
});

test('further origins may embed the checkout and be return addresses', () => {
  const origins = ['http://localhost:5173', 'https://shop.test', 'http://127.0.0.1:3'];
  const { accounts } = relayConfig({ ...addresses, origins });
  expect(accounts[0]?.allowed_origins).toEqual([
    ...['http://127.0.0.1:3', 'http://localhost:3'],
    ...['http://127.0.0.1:5173', 'http://localhost:5173'],
    'https://shop.test',
  ]);
  expect(accounts[0]?.return_urls).toContain('http://127.0.0.1:5173/');
});

test('the config names the secrets’ variables, without any secret or API key', () => {
  const text = JSON.stringify(config);
  expect(config.accounts).toMatchObject([
    {
      signing_secret: { env: 'DEMO_SIGNING_SECRET' },
      webhook: { secrets: [{ env: 'DEMO_WEBHOOK_SECRET' }] },
      api_keys: [{ sha256: createHash('sha256').update('the-key-itself').digest('hex') }],
    },
  ]);
  expect(text).not.toMatch(/the-key-itself|whsec_/);
});
