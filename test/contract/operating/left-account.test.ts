import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { sha256 } from '../../../relay/base/keys.ts';
import { type Script, sendRecords } from '../../support/gateways/scripted-gateway.ts';
import { paymentAnswers, quick, setUpSettlement, stores, storesOf } from '../../support/gateways/settlement.ts';
import { withReceiver } from '../../support/http/receiver.ts';
import { apiKey, otherAccountKey, startTestRelay } from '../../support/relays/relay.ts';

const kinds = stores.map((kind) => [kind, storesOf(kind)] as const);
const { lost } = paymentAnswers;
const none: Script = (_received, res) => sendRecords(res, []);
const payout = {
  ...{ beneficiary_id: 'b', payment_amount: '10', payment_currency: 'BRL' },
  request_id: '7f9c24e8-3b12-4fef-91d0-0123456789ab',
};

it.each(kinds)('an account missing in the configuration is named, with open orders (%s)', async (_, newStore) => {
  const stack = await setUpSettlement(newStore, { resolve: { absent_ms: 3_600_000 } });
  const { secret, id } = await stack.session();
  expect((await stack.byCard(secret)).body).toEqual({ status: 'unknown' });
  stack.scripts.query = (received, res, req) => (received.path === '/v1/payout' ? lost : none)(received, res, req);
  expect((await stack.relay.post('/v1/payout', apiKey, payout)).body).toMatchObject({ code: 'outcome_unknown' });
  const { config } = stack.relay.context;
  const warnings = (lines: readonly string[]) => lines.filter((line) => line.includes('account not configured'));
  expect(warnings(stack.relay.logLines)).toEqual([]);
  await stack.relay.stop();
  const [, other] = config.accounts;
  const again = await startTestRelay({
    gatewayUrl: stack.gateway.url,
    folder: stack.relay.folder,
    config: {
      ...(config.store.startsWith('postgres') ? { store: config.store } : {}),
      accounts: [
        {
          ...{ id: other?.id, merchant_id: other?.merchant_id, account_id: other?.account_id },
          ...{ signing_secret: 'another secret', allowed_origins: ['https://other.example'] },
          api_keys: [{ name: 'all', sha256: sha256(otherAccountKey), scopes: ['*'] }],
        },
      ],
    },
  });
  await expect.poll(() => warnings(again.logLines)).toHaveLength(1);
  expect(JSON.parse(warnings(again.logLines)[0] ?? '')).toMatchObject({
    ...{ level: 'warn', account: 'demo', open_orders: 1, open_operations: 1 },
  });
  expect((await again.get(`/v1/sessions/${id}`, apiKey)).status).toBe(401);
});

it.each(kinds)('orders of an account with a deleted key are still queried (%s)', async (_, newStore) => {
  const stack = await setUpSettlement(newStore, { resolve: { absent_ms: 3_600_000 } });
  const { secret, id, orderNo } = await stack.session();
  expect((await stack.byCard(secret)).body).toEqual({ status: 'unknown' });
  const { config } = stack.relay.context;
  await stack.relay.stop();
  stack.books.write(orderNo, 'T-1', '3000');
  const thrownAway = { name: 'thrown away', sha256: sha256(randomUUID()), scopes: ['*'] };
  const { accounts } = withReceiver(stack.shop.url);
  const again = await startTestRelay({
    gatewayUrl: stack.gateway.url,
    folder: stack.relay.folder,
    config: {
      ...(config.store.startsWith('postgres') ? { store: config.store } : {}),
      ...{ webhooks: { allow_private: true }, resolve: quick },
      accounts: accounts.map((account) => ({ ...account, api_keys: [thrownAway] })),
    },
  });
  expect((await again.get(`/v1/sessions/${id}`, apiKey)).status).toBe(401);
  expect((await stack.shop.one('session.approved')).data).toMatchObject({ id, transaction_id: 'T-1' });
});
