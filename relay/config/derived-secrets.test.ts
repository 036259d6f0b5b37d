import { describe, expect, it } from 'vitest';
import { testContext } from '../../test/support/stores/context.ts';
import {
  clientSecret,
  isClientSecret,
  isNotificationToken,
  issueTicket,
  isValidTicket,
  notificationToken,
} from '../base/keys.ts';
import type { Account } from './load.ts';

const now = new Date('2026-11-21T09:00:00.000Z');

async function accountWith(signing_secret: string, ...previous_signing_secrets: string[]): Promise<Account> {
  const { config, store } = await testContext({ account: { signing_secret, previous_signing_secrets } });
  await store.close();
  const [account] = config.accounts;
  if (!account) throw new Error('no account');
  return account;
}

describe.each<[string, (by: Account) => string, (by: Account, text: string) => boolean]>([
  ['a client secret', (by) => clientSecret(by, 'cs_1'), (by, text) => isClientSecret(by, 'cs_1', text)],
  [
    'a notification token',
    (by) => notificationToken(by, 'payout', 'op_1'),
    (by, text) => isNotificationToken(by, 'payout', 'op_1', text),
  ],
  ['an issuer ticket', (by) => issueTicket(by, 'at_1', now), (by, text) => isValidTicket(by, 'at_1', text, now)],
])('%s', (_, make, check) => {
  it('is valid under its secret, also as a previous one', async () => {
    const text = make(await accountWith('old'));
    expect(check(await accountWith('old'), text)).toBe(true);
    expect(check(await accountWith('new', 'older', 'old'), text)).toBe(true);
    expect(check(await accountWith('new', 'older'), text)).toBe(false);
    expect(check(await accountWith('new'), text)).toBe(false);
  });

  it('is made with the current secret', async () => {
    const rotated = await accountWith('new', 'old');
    const ofNow = make(rotated);
    expect(ofNow).toBe(make(await accountWith('new')));
    expect(check(rotated, ofNow)).toBe(true);
  });

  it('is no other text', async () => {
    const account = await accountWith('new', 'old');
    for (const text of ['', '.', make(account).slice(0, -1), `${make(account)}A`, `x${make(account)}`]) {
      expect(check(account, text), text).toBe(false);
    }
  });
});

it('a ticket ends after a quarter of an hour', async () => {
  const account = await accountWith('new');
  const ticket = issueTicket(account, 'at_1', now);
  const after = (ms: number): Date => new Date(now.getTime() + ms);
  expect(isValidTicket(account, 'at_1', ticket, after(899_999))).toBe(true);
  expect(isValidTicket(account, 'at_1', ticket, after(900_000))).toBe(false);
  expect(isValidTicket(account, 'at_2', ticket, now)).toBe(false);
});
