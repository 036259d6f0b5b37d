import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sha256 } from '../../relay/base/keys.ts';
import { configFile } from '../../relay/config/schema.ts';
import { demoMerchant } from '../../sandbox/demo.ts';
import { createGateway } from '../../sandbox/gateway/gateway.ts';
import { serve } from '../support/http/http-server.ts';
import { apiKey, card, startTestRelay } from '../support/relays/relay.ts';

const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');

const accounts = [
  {
    id: 'demo',
    merchant_id: '1',
    account_id: '2',
    signing_secret: 's',
    allowed_origins: ['http://a.example'],
    api_keys: [{ name: 'a', sha256: 'a'.repeat(64), scopes: ['*'] }],
  },
];

/** The first code block of a language. */
function block(language: string, containing: string): string {
  const blocks = [...readme.matchAll(/```(\w+)\n([\s\S]*?)```/g)];
  const found = blocks.find(([, name, text]) => name === language && text?.includes(containing))?.[2];
  if (found === undefined) throw new Error(`the README has no ${language} with ${containing}`);
  return found;
}

describe('the README', () => {
  it('has a configuration and a request that work together, by card and by Pix', async () => {
    const gateway = createGateway({ merchants: [demoMerchant], publicUrl: () => gatewayServer.url });
    const gatewayServer = await serve(gateway.app);
    onTestFinished(gatewayServer.close);
    expect(block('sh', 'DEMO_SIGNING_SECRET')).toContain(`DEMO_SIGNING_SECRET=${demoMerchant.signing_secret}`);

    const config = JSON.parse(block('json', 'public_url').replace('THE_HASH_OF_THE_KEY', sha256(apiKey)));
    config.accounts[0].signing_secret = demoMerchant.signing_secret;
    const { accounts, issuer } = config;
    const relay = await startTestRelay({ gatewayUrl: gatewayServer.url, config: { accounts, issuer } });

    const body = /-d '(\{[\s\S]*\})'/.exec(block('sh', '/v1/sessions'))?.[1] ?? '';
    const session = await relay.post('/v1/sessions', apiKey, body);
    expect(session).toMatchObject({ status: 201, body: { order_no: 'A-1001' } });
    const secret = String(session.body.client_secret);
    const { redirect_url } = (await relay.pay(secret, { payment_method: 'PIX' })).body;
    expect((await relay.get(String(redirect_url).slice(relay.url.length))).status).toBe(303);
    const back = await relay.comeBack(String(session.body.id));
    expect(back.headers.get('location')).toContain('http://127.0.0.1:8082/thanks?');
    const paid = (await relay.pay(secret, card)).body;
    expect(paid).toMatchObject({ status: 'approved' });

    const refund = /-d '(\{[\s\S]*\})'/.exec(block('sh', '/v1/refund'))?.[1] ?? '';
    const refunded = await relay.post(
      '/v1/refund',
      apiKey,
      refund.replace('THE_TRANSACTION', String(paid.transaction_id)),
    );
    expect(refunded.body).toMatchObject({ refund_orders: [{ refund_amount: '29.90', refund_message: 'V0000:OK' }] });
  });

  it('tells of every setting, with its default', () => {
    const told = configFile.parse({
      public_url: 'http://a.example',
      gateway: { base_url: 'http://127.0.0.1' },
      accounts,
    });
    const table = readme.split('\n').filter((line) => line.startsWith('| `'));
    const rowOf = (setting: string) => table.find((row) => row.includes(`\`${setting}\``)) ?? '';
    for (const setting of Object.keys(configFile.shape)) {
      expect(
        table.some((row) => new RegExp(`\`${setting}[\`.]`).test(row)),
        setting,
      ).toBe(true);
    }
    expect(rowOf('store')).toContain(told.store);
    expect(rowOf('retention_days')).toContain(String(told.retention_days));
    expect(rowOf('limits.attempts_per_session')).toContain(
      Object.values(told.limits)
        .map((most) => `\`${most}\``)
        .join(', '),
    );
  });
});
