import { expect, it } from 'vitest';
import { approving, scriptedGateway } from '../../support/gateways/scripted-gateway.ts';
import { apiKey, card, startTestRelay } from '../../support/relays/relay.ts';
import { sharedPostgres } from '../../support/stores/postgres.ts';

const metric = 'turnpike_account_payments_without_fingerprint_total';

it.each(['SQLite', 'PostgreSQL'])(
  'a form’s payment without a fingerprint is counted, and shown (%s)',
  async (store) => {
    const gateway = await scriptedGateway(approving);
    const config = store === 'SQLite' ? {} : { store: await (await sharedPostgres()).database() };
    const relay = await startTestRelay({ gatewayUrl: gateway.url, config });
    const { id: first, secret, orderNo } = await relay.session();
    await relay.pay(secret, { ...card, device: { browser_lang: 'en' } });
    const shown = async (path: string) => (await relay.get(path, apiKey)).text;
    expect(await shown(`/v1/sessions/${first}`)).toContain('"device_fingerprint":"missing"');
    expect(await shown(`/v1/orders/${orderNo}`)).toContain('"device_fingerprint":"missing"');
    expect(await shown('/metrics')).toContain(`${metric}{account="demo"} 1`);

    const { id: second, secret: other } = await relay.session();
    await relay.pay(other, { ...card, device: { device_fingerprint: 'f1' } });
    expect(await shown(`/v1/sessions/${second}`)).toContain('"status":"approved"');
    expect(await shown(`/v1/sessions/${second}`)).not.toContain('device_fingerprint');
    // A payment by a shop's server has no device to fingerprint.
    await relay.send('/v1/payments', {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...card, order: { order_no: 'server', currency: 'BRL', amount: '1.00' } }),
    });
    expect(await shown('/metrics')).toContain(`${metric}{account="demo"} 1`);
  },
);
