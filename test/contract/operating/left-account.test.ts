import { expect, it } from 'vitest';
import { sha256 } from '../../../relay/base/keys.ts';
import { setUpSettlement, stores, storesOf } from '../../support/gateways/settlement.ts';
import { apiKey, otherAccountKey, startTestRelay } from '../../support/relays/relay.ts';

it.each(stores.map((kind) => [kind, storesOf(kind)] as const))(
  'an account that left the configuration with open orders is named (%s)',
  async (_, newStore) => {
    const stack = await setUpSettlement(newStore, { resolve: { absent_ms: 3_600_000 } });
    const { secret, id } = await stack.session();
    expect((await stack.byCard(secret)).body).toEqual({ status: 'unknown' });
    const { config } = stack.relay.context;
    const told = (lines: readonly string[]) => lines.filter((line) => line.includes('account is not configured'));
    expect(told(stack.relay.logLines)).toEqual([]);
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
    await expect.poll(() => told(again.logLines)).toHaveLength(1);
    expect(JSON.parse(told(again.logLines)[0] ?? '')).toMatchObject({
      ...{ level: 'warn', account: 'demo', open_orders: 1, open_operations: 0 },
    });
    expect((await again.get(`/v1/sessions/${id}`, apiKey)).status).toBe(401);
  },
);
