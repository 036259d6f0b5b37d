import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { at, claim, session } from '../../test/store/fixtures.ts';
import { webhookSecret } from '../../test/support/http/receiver.ts';
import { testContext } from '../../test/support/stores/context.ts';
import { until } from '../../test/support/time/until.ts';
import { StoreError } from '../base/errors.ts';
import type { Claim } from '../store/facets/keys.ts';
import type { NewEvent } from '../store/facets/outbox.ts';
import { type Purged, type PurgeStep, retainedKinds } from '../store/facets/retention.ts';
import { deleteOld, secondsOverdue, startRetention } from './retention.ts';

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
    await deleteOld(context);
    expect(await status('gone', 'old')).toBe('pending');
    await deleteOld({ ...context, monotonic: () => context.monotonic() + 3 * DAY_MS });
    expect(await status('demo', 'own')).toBe('pending');
    expect(await status('gone', 'old')).toBe('failed');
    expect(await status('gone', 'young')).toBe('pending');
    expect(context.logLines.join('')).toContain('their account is not configured');
  });

  it('ends what waits for an endpoint that was removed, without an alarm', async () => {
    const context = await testContext({ now: () => now });
    onTestFinished(() => context.store.close());
    await context.store.outbox.add([event('own', 'demo', 1), event('new', 'demo', 0), event('left', 'gone', 1)]);
    await deleteOld(context);
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
    await deleteOld(context);
    expect(await context.store.people.getSignIn('old')).toBeUndefined();
    expect(await context.store.people.getSignIn('young')).toBeDefined();
  });
});

describe('what retention has not deleted yet', () => {
  it('is reported with its age beyond the limit', async () => {
    const context = await testContext({ now: () => now, config: { retention_days: 30 } });
    onTestFinished(() => context.store.close());
    const aged = (days: number): string => new Date(now.getTime() - days * DAY_MS).toISOString();
    for (const days of [29, 31, 32]) {
      const state = { status: 'expired' } as const;
      await context.store.sessions.create({ ...session(`cs_${days}`, `${days}`), created_at: aged(days), state });
    }
    const old = { ...claim, claimed_at: aged(8) };
    await context.store.keys.claim(old, at(0));
    await context.store.keys.answer({ ...old, reply: 'r' });
    const seconds = await secondsOverdue(context);
    expect(Object.fromEntries(seconds)).toMatchObject({ sessions: 2 * 86_400, keys: 86_400, webhooks: 0 });
    await deleteOld(context);
    expect(new Set((await secondsOverdue(context)).values())).toEqual(new Set([0]));
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
    const own: Claim = { account: 'demo', route: '/v1/refund', key: 'k', fingerprint: 'f', claimed_at: created_at };
    await store.keys.claim(own, at(0));
    await store.keys.answer({ ...own, reply: 'refunded' });
    await store.outbox.add([event('young', 'gone', 0)]);
    passed.ahead = 500 * DAY_MS;
    await deleteOld(context);
    passed.ahead = 0;
    expect(await store.keys.claim(own, at(0))).toEqual({ kind: 'answered', reply: 'refunded' });
    expect(await store.people.getSignIn('own')).toBeDefined();
    expect((await store.outbox.get('gone', 'young'))?.delivery.status).toBe('pending');
    passed.ms = 8 * DAY_MS;
    await deleteOld(context);
    expect(await store.keys.claim(own, at(0))).toEqual({ kind: 'claimed' });
  });

  it('back keeps nothing for longer', async () => {
    const { context, passed } = await setUp();
    const checked = vi.spyOn(context.store.retention, 'purge');
    const retention = startRetention(context);
    onTestFinished(() => retention.stop());
    const ofCounts = () => checked.mock.calls.flatMap(([step]) => (step.kind === 'counted' ? [step.before] : []));
    await until('it is checked', async () => ofCounts().length === 1);
    passed.ahead = -30 * DAY_MS;
    passed.ms = DAY_MS;
    await until('it is checked again', async () => ofCounts().length === 2);
    expect(ofCounts().at(-1)).toBe('2026-01-30T23:00:00.000Z');
  });
});

describe('the steps of retention', () => {
  /** Retention of which only the deletion of sessions does anything; time passes by `passed`. */
  async function setUp(sessions: (step: PurgeStep, call: number) => Promise<Purged>) {
    const passed = { ms: 0 };
    const context = await testContext({ now: () => new Date(now.getTime() + passed.ms) });
    onTestFinished(() => context.store.close());
    context.monotonic = () => now.getTime() + passed.ms;
    const steps: PurgeStep[] = [];
    const others: string[] = [];
    vi.spyOn(context.store.retention, 'purge').mockImplementation((step) => {
      if (step.kind === 'sessions') return sessions(step, steps.push(step));
      others.push(step.kind);
      return Promise.resolve({ isMore: false, ms: 0 });
    });
    const retention = startRetention(context);
    onTestFinished(() => retention.stop());
    const taken = (count: number) => until(`${count} steps are taken`, async () => steps.length === count);
    return { context, passed, steps, others, taken };
  }

  const purged = (more: Partial<Purged> = {}): Purged => ({ isMore: false, ms: 0, ...more });

  it('are tried again within a minute after a failure, beside all others', async () => {
    const { context, passed, others, taken } = await setUp(async (_step, call) => {
      if (call < 3) throw new StoreError('no');
      return purged();
    });
    await taken(1);
    await until('the others are taken', async () => others.length === retainedKinds.length - 1);
    passed.ms = 59_000;
    await taken(2);
    passed.ms = 118_000;
    await taken(3);
    expect(context.logLines.filter((line) => line.includes('poll failed'))).toHaveLength(2);
  });

  it('take more rows while fast, and fewer once slow', async () => {
    const slow = [false, false, false, true, true, false];
    const { steps, taken } = await setUp(async (_step, call) => {
      return purged({ isMore: call < slow.length, ms: slow[call - 1] ? 100 : 1 });
    });
    await taken(slow.length);
    expect(steps.map(({ limit }) => limit)).toEqual([100, 200, 400, 800, 400, 200]);
  });

  it('go on from the last one, and hourly from the oldest row', async () => {
    const { context, passed, steps, taken } = await setUp(async (_step, call) => {
      return purged({ isMore: call === 1, last: [`${call}`, 'cs'] });
    });
    await taken(2);
    passed.ms = 61_000;
    await taken(3);
    expect(steps.map(({ after }) => after)).toEqual([undefined, ['1', 'cs'], ['2', 'cs']]);
    expect(context.retentionPlaces.get('sessions')).toEqual(['3', 'cs']);
    passed.ms = 3_600_001;
    await taken(4);
    expect(steps.at(-1)).not.toHaveProperty('after');
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
    await deleteOld(context);
    expect(await store.keys.claim(claimOf('young', 0), at(0))).toEqual({ kind: 'answered', reply: 'young' });
    expect(await store.keys.claim(claimOf('old', 0), at(0))).toEqual({ kind: 'claimed' });
  });
});
