import { expect, it, onTestFinished } from 'vitest';
import { webhookSecret } from '../../test/support/http/receiver.ts';
import { testContext } from '../../test/support/stores/context.ts';
import type { NewEvent } from '../store/event.ts';
import { forgetSome } from './retention.ts';

const DAY_MS = 86_400_000;
const now = new Date('2026-03-01T00:00:00.000Z');

const event = (id: string, account: string, days: number): NewEvent => ({
  id,
  account,
  subject: id,
  type: 'session.unknown',
  created_at: new Date(now.getTime() - days * DAY_MS).toISOString(),
  body: '{}',
});

it('gives up webhooks that no receiver was there for in three days', async () => {
  const context = await testContext({
    account: { webhook: { url: 'https://shop.example/hook', secrets: [webhookSecret] } },
    now: () => now,
  });
  onTestFinished(() => context.store.close());
  await context.store.addEvents([event('own', 'demo', 4), event('old', 'gone', 4), event('young', 'gone', 2)]);
  await forgetSome(context);
  const status = async (account: string, id: string) => (await context.store.event(account, id))?.delivery.status;
  expect(await status('demo', 'own')).toBe('pending');
  expect(await status('gone', 'old')).toBe('failed');
  expect(await status('gone', 'young')).toBe('pending');
  expect(context.logLines.join('')).toContain('their account has no receiver');
});

it('forgets sign-ins to the console after a day', async () => {
  const context = await testContext({ now: () => now });
  onTestFinished(() => context.store.close());
  for (const [token_sha256, hours] of [
    ['old', 25],
    ['young', 23],
  ] as const) {
    const at = new Date(now.getTime() - (hours * DAY_MS) / 24).toISOString();
    await context.store.addSignIn({ token_sha256, person: 'Ada', credential: 'c', created_at: at, seen_at: at });
  }
  await forgetSome(context);
  expect(await context.store.signIn('old')).toBeUndefined();
  expect(await context.store.signIn('young')).toBeDefined();
});
