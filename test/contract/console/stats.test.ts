import { describe, expect, it, vi } from 'vitest';
import { StoreError } from '../../../relay/base/errors.ts';
import { MAX_PERIODS, stats } from '../../../shared/api/stats.ts';
import { failed, refunding } from '../../support/gateways/refunding.ts';
import { scriptedGateway } from '../../support/gateways/scripted-gateway.ts';
import {
  approvedAs,
  patient,
  paymentAnswers,
  setUpSettlement,
  stores,
  storesOf,
} from '../../support/gateways/settlement.ts';
import { documented } from '../../support/relays/documented.ts';
import { apiKey, otherAccountKey, queryOnlyKey, startTestRelay, type TestRelay } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

const ask = (relay: TestRelay, query: Record<string, string> = {}, key = apiKey) =>
  relay.get(`/v1/stats?${new URLSearchParams(query)}`, key);

const statsOf = async (relay: TestRelay, query: Record<string, string> = {}, key = apiKey) =>
  stats.parse((await ask(relay, query, key)).body);

const none = { payments: 0, approved: [], methods: [], decline_codes: [], refunds: [] };

describe.each(stores)('counts and sums, on %s', (kind) => {
  const newStore = storesOf(kind);

  it('count the account’s payments and refunds', async () => {
    const { relay, session, byCard, byPix, scripts } = await setUpSettlement(newStore, { resolve: patient });
    const pay = async (transaction: string, order: object) => {
      scripts.pay = approvedAs(transaction);
      expect((await byCard((await session({ order })).secret)).body).toMatchObject({ status: 'approved' });
    };
    await pay('T-1', { amount: '0.10' });
    await pay('T-2', { amount: '0.20' });
    await pay('T-3', { amount: '12.50', currency: 'USD' });
    scripts.pay = paymentAnswers.declined;
    await byCard((await session()).secret);
    scripts.pay = paymentAnswers.redirected;
    await byPix((await session()).secret);
    scripts.pay = paymentAnswers.lost;
    await byCard((await session()).secret);
    scripts.query = refunding(({ refund_amount }) => (refund_amount === '0.03' ? failed : { refund_status: '1' }));
    const item = { transaction_id: 'T-2', currency: 'BRL', amount: '0.20' };
    const refund_orders = ['0.01', '0.02', '0.03'].map((refund_amount) => ({ ...item, refund_amount }));
    await relay.post('/v1/refund', apiKey, { refund_orders });

    const answer = await ask(relay);
    documented().check('get', '/v1/stats', answer);
    const { total, periods, ...about } = stats.parse(answer.body);
    expect(about).toMatchObject({ by: 'day', time_zone: 'UTC' });
    expect(total).toMatchObject({
      payments: 6,
      outcomes: { approved: 3, declined: 1, redirected: 1, unknown: 1, not_paid: 0 },
      approval_rate: 0.75,
      approved: [
        { currency: 'BRL', count: 2, amount: '0.30' },
        { currency: 'USD', count: 1, amount: '12.50' },
      ],
      methods: [
        { payment_method: 'card', payments: 5, approved: 3, declined: 1, approval_rate: 0.75 },
        { payment_method: 'PIX', payments: 1, approved: 0, declined: 0 },
      ],
      decline_codes: [{ code: '2001', count: 1 }],
      refunds: [{ currency: 'BRL', count: 2, amount: '0.03' }],
      latency: { answers: 4 },
    });
    expect(periods).toHaveLength(30);
    expect(periods.reduce((sum, { payments }) => sum + payments, 0)).toBe(6);
    expect(periods[0]).toMatchObject(none);

    const dollars = await statsOf(relay, { by: 'hour', currency: 'USD' });
    expect(dollars.total).toMatchObject({ payments: 1, approved: [{ currency: 'USD' }], refunds: [] });
    expect(dollars.periods).toHaveLength(24);
    expect((await statsOf(relay, {}, otherAccountKey)).total).toMatchObject(none);
  });

  it('apply to the requested period', async () => {
    const { relay, session, byCard, scripts } = await setUpSettlement(newStore, { resolve: patient });
    scripts.pay = approvedAs('T-1');
    const { secret, orderNo } = await session();
    await byCard(secret);
    const { attempts } = await relay.context.store.orders.get('demo', orderNo);
    const at = attempts[0]?.started_at ?? '';
    const hours = (count: number): string => new Date(Date.parse(at) + count * 3_600_000).toISOString();
    const countOf = async (from: string, to: string) => (await statsOf(relay, { by: 'hour', from, to })).total.payments;
    expect(await countOf(at, hours(1))).toBe(1);
    expect(await countOf(hours(-5), hours(-1))).toBe(0);
    expect(await countOf(hours(1), hours(5))).toBe(0);
    const { from, to, periods } = await statsOf(relay, { by: 'hour', from: hours(-1), to: at });
    expect(periods.map(({ start }) => start)).toEqual([from, `${at.slice(0, 13)}:00:00.000Z`]);
    expect(to).toBe(`${hours(1).slice(0, 13)}:00:00.000Z`);
    expect(periods.map(({ payments }) => payments)).toEqual([0, 1]);
  });

  it('include the current values', async () => {
    const { relay, session, byCard, scripts } = await setUpSettlement(newStore, { resolve: patient });
    expect((await statsOf(relay)).total.payments).toBe(0);
    scripts.pay = approvedAs('T-1');
    await byCard((await session()).secret);
    expect((await statsOf(relay)).total.payments).toBe(1);
  });

  it('are right with tallies of past hours, too', async () => {
    const { relay, session, byCard, books } = await setUpSettlement(newStore, { resolve: patient });
    const { secret, orderNo } = await session();
    await byCard(secret);
    const { store } = relay.context;
    const inTwoHours = new Date(Date.now() + 2 * 3_600_000).toISOString();
    await until('tallies are made', async () => !(await store.stats.refresh(inTwoHours)));
    expect((await statsOf(relay)).total.outcomes).toMatchObject({ unknown: 1, approved: 0 });
    books.write(orderNo, 'T-1', '3000');
    expect((await relay.post(`/v1/orders/${orderNo}/reconcile`, apiKey, {})).status).toBe(200);
    expect((await statsOf(relay)).total.outcomes).toMatchObject({ unknown: 0, approved: 1 });
  });
});

describe('a request for counts and sums', () => {
  const setUp = async (config: Record<string, unknown> = {}) => {
    const gateway = await scriptedGateway((_received, res) => void res.end());
    return startTestRelay({ gatewayUrl: gateway.url, config });
  };

  it('needs the scope and a period that is not too long', async () => {
    const relay = await setUp();
    expect(await ask(relay, {}, queryOnlyKey)).toMatchObject({ status: 403, body: { code: 'missing_scope' } });
    const to = '2027-03-31T00:00:00Z';
    const ago = (hours: number): string => new Date(Date.parse(to) - hours * 3_600_000).toISOString();
    for (const [query, path] of [
      [{ by: 'week' }, 'by'],
      [{ from: 'yesterday' }, 'from'],
      [{ to: '2027-13-01T00:00:00Z' }, 'to'],
      [{ currency: 'real' }, 'currency'],
      [{ form: to }, 'form'],
      [{ from: to, to }, 'from'],
      [{ from: to, to: ago(48) }, 'from'],
      [{ by: 'hour', from: ago(MAX_PERIODS.hour + 1), to }, 'from'],
      [{ by: 'day', from: ago(24 * MAX_PERIODS.day + 1), to }, 'from'],
      [{ to: '9999-12-31T23:59:59-23:59', from: to }, 'from'],
    ] as const) {
      const refused = { status: 400, body: { code: 'invalid_request', errors: [{ path }] } };
      expect(await ask(relay, query), JSON.stringify(query)).toMatchObject(refused);
    }
    expect((await statsOf(relay, { by: 'hour', from: ago(MAX_PERIODS.hour), to })).periods).toHaveLength(744);
    expect((await statsOf(relay, { from: ago(24 * MAX_PERIODS.day), to })).periods).toHaveLength(400);
  });

  it('is answered by a store in memory', async () => {
    expect((await statsOf(await setUp({ store: 'sqlite::memory:' }))).total).toMatchObject(none);
  });

  it('reports a failure, and the next request tries again', async () => {
    const relay = await setUp();
    const document = documented();
    const broken = vi.spyOn(relay.context.store.stats, 'get').mockRejectedValueOnce(new StoreError('no'));
    const answer = await ask(relay);
    expect(answer).toMatchObject({ status: 503, body: { code: 'store_unavailable' } });
    document.check('get', '/v1/stats', answer);
    expect((await ask(relay)).status).toBe(200);
    expect(broken).toHaveBeenCalledTimes(2);
    expect(await relay.get('/readyz')).toMatchObject({ status: 200 });
  });

  it('waits while many others run, but not for too many', async () => {
    const relay = await setUp();
    const gate = Promise.withResolvers<never>();
    vi.spyOn(relay.context.store.stats, 'get').mockReturnValueOnce(gate.promise);
    const asked = Array.from({ length: 21 }, () => ask(relay));
    const first = await Promise.race(asked);
    expect(first).toMatchObject({ status: 503, body: { code: 'store_unavailable' } });
    gate.reject(new StoreError('in the end'));
    expect((await Promise.all(asked)).map(({ status }) => status).toSorted()).toEqual([
      ...Array.from({ length: 19 }, () => 200),
      ...[503, 503],
    ]);
  });
});
