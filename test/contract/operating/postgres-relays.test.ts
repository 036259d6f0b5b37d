import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openPostgres } from '../../../relay/store/postgres/open.ts';
import { operations } from '../../../shared/gateway/operations.ts';
import { compliant } from '../../support/gateways/compliant-gateway.ts';
import { done, refunding, transaction_id } from '../../support/gateways/refunding.ts';
import {
  approval,
  approving,
  type Script,
  scriptedGateway,
  sendRecords,
  sendXml,
  signedXml,
} from '../../support/gateways/scripted-gateway.ts';
import { startReceiver, withReceiver } from '../../support/http/receiver.ts';
import { apiKey, card, type Options, order, startTestRelay, type TestRelay } from '../../support/relays/relay.ts';
import { sharedPostgres, type TestPostgres } from '../../support/stores/postgres.ts';
import { until } from '../../support/time/until.ts';

describe('two relays on one PostgreSQL', () => {
  let postgres: TestPostgres | undefined;
  beforeAll(async () => {
    postgres = await sharedPostgres();
  });

  async function twoRelays(script: Script, config: Record<string, unknown> = {}) {
    if (!postgres) throw new Error('PostgreSQL did not start');
    const gateway = await scriptedGateway(script);
    const store = await postgres.database();
    const options = { gatewayUrl: gateway.url, config: { store, ...config } };
    const [one, other] = await Promise.all([startTestRelay(options), startTestRelay(options)]);
    return { gateway, store, options, one, other, both: [one, other] };
  }
  const onEach = <Result>(both: TestRelay[], times: number, send: (relay: TestRelay, i: number) => Promise<Result>) =>
    Promise.all(Array.from({ length: times }, (_, i) => both.map((relay) => send(relay, i))).flat());

  it('send one payment for eight simultaneous clicks', async () => {
    const { gateway, one, both } = await twoRelays(approving);
    const { secret, id } = await one.session();
    const answers = await onEach(both, 4, (relay) => relay.pay(secret, card));
    expect(answers.filter(({ body }) => body.status === 'approved')).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(7);
    expect(gateway.authorised()).toHaveLength(1);
    for (const relay of both) expect(await relay.truth(id)).toMatchObject({ status: 'approved' });
  });

  it('send one payment for eight sessions of one order', async () => {
    const { gateway, one, other, both } = await twoRelays(approving);
    const { order_no } = order();
    const sessions = await Promise.all(Array.from({ length: 4 }, () => one.session({ order: { order_no } })));
    const answers = await onEach(both, 4, (relay, i) => relay.pay(sessions[i]?.secret ?? '', card));
    expect(answers.filter(({ body }) => body.status === 'approved')).toHaveLength(1);
    expect(gateway.authorised()).toHaveLength(1);
    const more = await other.post('/v1/sessions', apiKey, { order: { ...order(), order_no } });
    expect(more).toMatchObject({ status: 409, body: { code: 'order_already_paid' } });
  });

  it('count the attempts with one card together', async () => {
    const limits = {
      attempts_per_ip_per_hour: 1000,
      attempts_per_card_per_hour: 5,
      attempts_per_account_per_minute: 1000,
    };
    const { gateway, one, both } = await twoRelays(approving, { limits });
    const sessions = await Promise.all(Array.from({ length: 16 }, () => one.session()));
    const answers = await onEach(both, 8, (relay, i) =>
      relay.pay(sessions[relay === one ? i : i + 8]?.secret ?? '', card),
    );
    expect(answers.filter(({ body }) => body.status === 'approved')).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(11);
    expect(gateway.authorised()).toHaveLength(5);
  });

  it('execute a request with one Idempotency-Key once', async () => {
    const { gateway, both } = await twoRelays(compliant);
    const body = { ...order(), ...card };
    const headers = { 'idempotency-key': 'one' };
    const answers = await onEach(both, 4, (relay) => relay.post('/v1/payments', apiKey, body, headers));
    expect(gateway.authorised()).toHaveLength(1);
    const again = await onEach(both, 1, (relay) => relay.post('/v1/payments', apiKey, body, headers));
    const approved = [...answers, ...again].filter(({ status }) => status === 200);
    expect(approved.length).toBeGreaterThanOrEqual(3);
    expect(new Set(approved.map(({ body }) => body.id)).size).toBe(1);
    expect(gateway.authorised()).toHaveLength(1);
  });

  it('together refund no more than was paid', async () => {
    const { gateway, one, both } = await twoRelays(refunding(() => done));
    const { secret } = await one.session();
    expect((await one.pay(secret, card)).body).toMatchObject({ status: 'approved' });
    const item = { transaction_id, currency: 'BRL', amount: '129.90', refund_amount: '40.00' };
    const answers = await onEach(both, 4, (relay) => relay.post('/v1/refund', apiKey, { refund_orders: [item] }));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 409, 409, 409, 409, 409]);
    expect(gateway.sent(operations.refund.path)).toHaveLength(3);
  });

  it('deliver each webhook once, in order within a session', async () => {
    const receiver = await startReceiver();
    const { one, both } = await twoRelays((received, res) => {
      if (received.path !== '/v1/authorise') return sendRecords(res, []);
      const isFirst = !received.message.note;
      const declined = { order_status: '0', result_info: '2001:no' };
      sendXml(res, signedXml({ ...approval(received), ...(isFirst ? declined : {}) }));
    }, withReceiver(receiver.url));
    const sessions = await Promise.all(Array.from({ length: 12 }, () => one.session()));
    await onEach(both, 6, async (relay, i) => {
      const { secret = '' } = sessions[relay === one ? i : i + 6] ?? {};
      for (let tries = 0; tries < 3; tries++) await relay.pay(secret, card);
    });
    await until('every webhook is delivered', () => receiver.received.length >= 36);
    expect(receiver.wrong).toEqual([]);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(receiver.received.length);
    expect(receiver.received).toHaveLength(36);
    for (const { id } of sessions) {
      const left = receiver.received
        .filter(({ data }) => data.id === id)
        .map(({ data }) => (Array.isArray(data.attempts) ? data.attempts.length : 0));
      expect(left).toEqual([1, 2, 3]);
    }
  });

  it('query for a crashed relay when its lease expires', async () => {
    if (!postgres) throw new Error('PostgreSQL did not start');
    const HOUR = 3_600_000;
    const anHourLater = (): Date => new Date(Date.now() + HOUR);
    const queriedAt: number[] = [];
    const gateway = await scriptedGateway((received, res) => {
      if (received.path === '/v1/authorise') return void res.destroy();
      queriedAt.push(anHourLater().getTime());
      const { amount, currency, order_no } = gateway.authorised()[0]?.message ?? {};
      sendRecords(res, [{ amount, currency, order_no, transaction_id: 'T1', payment_status: '3000' }]);
    });
    const store = await postgres.database();
    const options: Options = {
      gatewayUrl: gateway.url,
      config: { store, resolve: { first_ms: HOUR - 1000, max_ms: HOUR - 1000 } },
      decides: 'callers',
    };
    const first = await startTestRelay(options);
    const { secret, id } = await first.session();
    expect((await first.pay(secret, card)).body).toEqual({ status: 'unknown' });
    await first.stop();

    const dead = await openPostgres(store);
    onTestFinished(() => dead.close());
    const now = anHourLater();
    const end = new Date(now.getTime() + 2000);
    const lease = { now: now.toISOString(), until: end.toISOString(), limit: 10 };
    const taken = await dead.orders.leaseDue(lease, ['demo'], now.toISOString());
    expect(taken).toHaveLength(1);

    const second = await startTestRelay({ ...options, now: anHourLater });
    expect(await second.settled(id, 'unknown')).toMatchObject({ status: 'approved', transaction_id: 'T1' });
    expect(queriedAt[0]).toBeGreaterThanOrEqual(end.getTime());
    expect(gateway.authorised()).toHaveLength(1);
  });
});
