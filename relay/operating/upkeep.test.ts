import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { at, processing } from '../../test/store/fixtures.ts';
import { webhookSecret } from '../../test/support/http/receiver.ts';
import { testContext } from '../../test/support/stores/context.ts';
import { until } from '../../test/support/time/until.ts';
import { StoreError } from '../base/errors.ts';
import type { Claim } from '../store/facets/keys.ts';
import type { NewEvent } from '../store/facets/outbox.ts';
import { forgetSome, startRetention, startStatsUpkeep } from './upkeep.ts';

const DAY_MS = 86_400_000;
const now = new Date('2026-03-01T00:00:00.000Z');

const event = (id: string, account: string, days: number): NewEvent => ({
  id,
  account,
  subject: id,
  type: 'session.unknown',
  created_at: new Date(now.getTime() - days * DAY_MS).toISOString(),
  body: '{}',
  endpoints: ['default'],
});

describe('retention', () => {
  it('gives up webhooks whose account was not configured for three days', async () => {
    const context = await testContext({
      account: { webhook: { url: 'https://shop.example/hook', secrets: [webhookSecret] } },
      now: () => now,
    });
    onTestFinished(() => context.store.close());
    await context.store.outbox.add([event('own', 'demo', 4), event('old', 'gone', 4), event('young', 'gone', 2)]);
    const status = async (account: string, id: string) =>
      (await context.store.outbox.get(account, id))?.delivery.status;
    await forgetSome(context);
    expect(await status('gone', 'old')).toBe('pending');
    await forgetSome({ ...context, monotonic: () => context.monotonic() + 3 * DAY_MS });
    expect(await status('demo', 'own')).toBe('pending');
    expect(await status('gone', 'old')).toBe('failed');
    expect(await status('gone', 'young')).toBe('pending');
    expect(context.logLines.join('')).toContain('their account is not configured');
  });

  it('ends what waits for an endpoint that was removed, without an alarm', async () => {
    const context = await testContext({ now: () => now });
    onTestFinished(() => context.store.close());
    await context.store.outbox.add([event('own', 'demo', 1), event('new', 'demo', 0), event('left', 'gone', 1)]);
    await forgetSome(context);
    expect((await context.store.outbox.get('demo', 'own'))?.delivery).toEqual({ status: 'kept', tries: 0 });
    for (const [account, id] of [
      ['demo', 'new'],
      ['gone', 'left'],
    ] as const) {
      expect((await context.store.outbox.get(account, id))?.delivery.status, id).toBe('pending');
    }
    expect(context.logLines.join('')).toContain('their endpoint was removed');
    expect(context.logLines.join('')).not.toContain('given up');
  });

  it('forgets sign-ins to the console after a day', async () => {
    const context = await testContext({ now: () => now });
    onTestFinished(() => context.store.close());
    for (const [token_sha256, hours] of [
      ['old', 25],
      ['young', 23],
    ] as const) {
      const at = new Date(now.getTime() - (hours * DAY_MS) / 24).toISOString();
      await context.store.people.addSignIn({
        token_sha256,
        person: 'Ada',
        credential: 'c',
        created_at: at,
        seen_at: at,
      });
    }
    await forgetSome(context);
    expect(await context.store.people.getSignIn('old')).toBeUndefined();
    expect(await context.store.people.getSignIn('young')).toBeDefined();
  });
});

describe('a clock that is set', () => {
  /** A relay for which time passes evenly while its clock is set. */
  async function setUp() {
    const passed = { ms: 0, ahead: 0 };
    const context = await testContext({ now: () => new Date(now.getTime() + passed.ms + passed.ahead) });
    onTestFinished(() => context.store.close());
    context.monotonic = () => now.getTime() + passed.ms;
    return { context, passed };
  }

  it('ahead makes nothing forgotten early', async () => {
    const { context, passed } = await setUp();
    const { store } = context;
    const created_at = now.toISOString();
    await store.people.addSignIn({
      token_sha256: 'own',
      person: 'Ada',
      credential: 'c',
      created_at,
      seen_at: created_at,
    });
    const claim: Claim = { account: 'demo', route: '/v1/refund', key: 'k', fingerprint: 'f', claimed_at: created_at };
    await store.keys.claim(claim, at(0));
    await store.keys.answer({ ...claim, reply: 'refunded' });
    await store.outbox.add([event('young', 'gone', 0)]);
    passed.ahead = 500 * DAY_MS;
    await forgetSome(context);
    passed.ahead = 0;
    expect(await store.keys.claim(claim, at(0))).toEqual({ kind: 'answered', reply: 'refunded' });
    expect(await store.people.getSignIn('own')).toBeDefined();
    expect((await store.outbox.get('gone', 'young'))?.delivery.status).toBe('pending');
    passed.ms = 8 * DAY_MS;
    await forgetSome(context);
    expect(await store.keys.claim(claim, at(0))).toEqual({ kind: 'claimed' });
  });

  it('back keeps nothing for longer', async () => {
    const { context, passed } = await setUp();
    const checked = vi.spyOn(context.store, 'purge');
    const retention = startRetention(context);
    onTestFinished(() => retention.stop());
    await until('it is checked', async () => checked.mock.calls.length === 1);
    passed.ahead = -30 * DAY_MS;
    passed.ms = DAY_MS;
    await until('it is checked again', async () => checked.mock.calls.length === 2);
    expect(checked.mock.lastCall?.[0].counted_before).toBe('2026-01-30T23:00:00.000Z');
  });
});

describe('idempotency keys', () => {
  it('are kept for seven days', async () => {
    const context = await testContext({ now: () => now });
    const { store } = context;
    onTestFinished(() => store.close());
    const claimOf = (key: string, days: number): Claim => ({
      ...{ account: 'demo', route: '/v1/refund', key, fingerprint: 'f' },
      claimed_at: new Date(now.getTime() - days * DAY_MS).toISOString(),
    });
    for (const [key, days] of [
      ['young', 6.9],
      ['old', 7.1],
    ] as const) {
      await store.keys.claim(claimOf(key, days), at(0));
      await store.keys.answer({ ...claimOf(key, days), reply: key });
    }
    await forgetSome(context);
    expect(await store.keys.claim(claimOf('young', 0), at(0))).toEqual({ kind: 'answered', reply: 'young' });
    expect(await store.keys.claim(claimOf('old', 0), at(0))).toEqual({ kind: 'claimed' });
  });
});

describe('the upkeep of counts and sums', () => {
  async function setUp() {
    const context = await testContext({ now: () => new Date(at(30 * 3600)) });
    onTestFinished(() => context.store.close());
    await processing(context.store, 'cs_1');
    return { context, refreshed: vi.spyOn(context.store.stats, 'refresh') };
  }

  it('makes tallies until none is left to make', async () => {
    const { context, refreshed } = await setUp();
    const upkeep = startStatsUpkeep(context);
    const isDone = () => refreshed.mock.settledResults.at(-1)?.value === false;
    await until('all tallies are made', async () => isDone());
    await upkeep.stop();
    expect(refreshed.mock.settledResults.filter(({ value }) => value === true).length).toBeGreaterThan(2);
    expect(await context.store.stats.refresh(at(30 * 3600))).toBe(false);
  });

  it('stops while there is more to make', async () => {
    const { context, refreshed } = await setUp();
    refreshed.mockResolvedValue(true);
    const upkeep = startStatsUpkeep(context);
    await until('steps are taken', async () => refreshed.mock.calls.length > 1);
    await upkeep.stop();
    const steps = refreshed.mock.calls.length;
    await new Promise(setImmediate);
    expect(refreshed.mock.calls.length).toBe(steps);
  });

  it('goes on after a failure, and logs it', async () => {
    const { context, refreshed } = await setUp();
    refreshed.mockRejectedValueOnce(new StoreError('no'));
    const upkeep = startStatsUpkeep(context);
    await until('it is logged', async () => context.logLines.join('').includes('poll failed'));
    await upkeep.stop();
    expect(await context.store.stats.refresh(at(30 * 3600))).toBe(true);
  });
});
