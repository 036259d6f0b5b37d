import { expect, it } from 'vitest';
import { approving, scriptedGateway } from '../../support/gateways/scripted-gateway.ts';
import { apiKey, otherAccountKey, startTestRelay, testConfig } from '../../support/relays/relay.ts';

it('sends an account’s own headers in place of the general ones', async () => {
  const seen: (string | undefined)[][] = [];
  const gateway = await scriptedGateway((received, res, req) => {
    seen.push(['x-key', 'x-version'].map((name) => req.headersDistinct[name]?.join('+')));
    approving(received, res, req);
  });
  const { accounts } = testConfig({ gatewayUrl: gateway.url, folder: '' });
  if (!Array.isArray(accounts)) throw new TypeError('no accounts');
  const [demo, other] = accounts;
  const relay = await startTestRelay({
    gatewayUrl: gateway.url,
    config: {
      gateway: { base_url: gateway.url, headers: { 'X-Key': 'all', 'X-Version': '7' } },
      accounts: [{ ...demo, gateway: { headers: { 'x-KEY': 'demo' } } }, other],
    },
  });
  for (const key of [apiKey, otherAccountKey]) await relay.post('/v1/query', key, { orders: ['A-1'] });
  expect(seen[0]).toEqual(['demo', '7']);
  expect(seen[1]).toEqual(['all', '7']);
});

it('refuses at the start an account header that the relay sets', async () => {
  const { accounts } = testConfig({ gatewayUrl: 'http://127.0.0.1:1', folder: '' });
  if (!Array.isArray(accounts)) throw new TypeError('no accounts');
  const [demo] = accounts;
  const start = startTestRelay({
    gatewayUrl: 'http://127.0.0.1:1',
    config: { accounts: [{ ...demo, gateway: { headers: { Host: 'x' } } }] },
  });
  await expect(start).rejects.toThrow('accounts.0.gateway.headers: the header Host is the relay’s own to set');
});
