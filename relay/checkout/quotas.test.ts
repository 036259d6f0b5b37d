import { expect, it } from 'vitest';
import { testContext } from '../../test/support/stores/context.ts';
import { quotasOf } from './quotas.ts';

async function keysOf(signing_secret: string, payer: object): Promise<string[]> {
  const context = await testContext({ account: { signing_secret } });
  const [account] = context.config.accounts;
  return account ? quotasOf(context, account, payer).map(({ key }) => key) : [];
}

it('hashes addresses and cards with the account’s secret', async () => {
  const payer = { card: '4111111111111111', shopper_ip: '203.0.113.9' };
  const keys = await keysOf('one secret', payer);
  expect(keys).toEqual(await keysOf('one secret', payer));
  const [ip, card, account] = keys;
  const others = await keysOf('another secret', payer);
  expect(new Set([ip, card, ...others.slice(0, 2)]).size).toBe(4);
  expect(account).toBe(others[2]);
  expect(keys.join()).not.toMatch(/4111111111111111|203\.0\.113/);
});

it('cards that begin and end the same are counted apart', async () => {
  const [, one] = await keysOf('secret', { card: '4000001234567899', shopper_ip: '203.0.113.9' });
  const [, other] = await keysOf('secret', { card: '4000001234067899', shopper_ip: '203.0.113.9' });
  expect(one).not.toBe(other);
});
