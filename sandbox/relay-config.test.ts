import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { relayConfig } from './relay-config.ts';

const config = relayConfig({
  port: 1,
  gatewayUrl: 'http://127.0.0.1:2',
  shopPort: 3,
  apiKey: 'the-key-itself',
  dataDir: './data',
});

test('the relay tells the shop, on loopback, what became of its orders', () => {
  expect(config.webhooks).toEqual({ allow_private: true });
  expect(config.accounts).toMatchObject([{ webhook: { url: 'http://127.0.0.1:3/webhooks' } }]);
});

test('the config names the secrets’ variables, and has neither a secret nor the API key', () => {
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
