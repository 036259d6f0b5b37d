import { expect, it } from 'vitest';
import { testContext } from '../../test/support/context.ts';
import { quotasOf } from './quotas.ts';

async function keysOf(signing_secret: string, payer: object): Promise<string[]> {
  const context = await testContext({ account: { signing_secret } });
  const [account] = context.config.accounts;
  return account ? quotasOf(context, account, payer).map(({ key }) => key) : [];
}

it('what attempts are counted by is hashed with the account’s secret, so that no list of card numbers finds it', async () => {
  const payer = { card: '4111111111111111', shopper_ip: '203.0.113.9' };
  const keys = await keysOf('one secret', payer);
  expect(keys).toEqual(await keysOf('one secret', payer));
  expect(new Set([...keys, ...(await keysOf('another secret', payer))]).size).toBe(6);
  expect(keys.join()).not.toContain(payer.card);
});

it('cards that begin and end the same are counted apart', async () => {
  const [, one] = await keysOf('secret', { card: '4000001234567899', shopper_ip: '203.0.113.9' });
  const [, other] = await keysOf('secret', { card: '4000001234067899', shopper_ip: '203.0.113.9' });
  expect(one).not.toBe(other);
});
