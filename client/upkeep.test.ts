import { expect, it } from 'vitest';
import { scriptedRelay } from '../test/support/operators/scripted-relay.ts';

const at = '2026-11-21T12:00:00.000Z';

const event = {
  ...{ id: 'msg_1', type: 'session.approved', subject: 'cs_1', created_at: at, data: {} },
  delivery: {
    ...{ status: 'acknowledged', tries: 38, failed_at: at, reason: 'http_503' },
    ...{ acknowledged_at: at, by: 'support' },
  },
};

it('acknowledges a webhook, and sends many again', async () => {
  const relay = await scriptedRelay(
    { status: 200, body: event },
    { status: 202, body: { redelivered: 100, next: 'msg_9' } },
  );
  const { events } = relay.client();
  expect((await events.acknowledge('msg_1')).delivery).toMatchObject({ status: 'acknowledged', by: 'support' });
  const body = { status: 'failed', since: at } as const;
  expect(await events.redeliverMany(body)).toEqual({ redelivered: 100, next: 'msg_9' });
  expect(relay.asked.map(({ path }) => path)).toEqual(['/v1/events/msg_1/acknowledge', '/v1/events/redeliver']);
});

it('walks through the audit log to its end', async () => {
  const entry = (id: string) => ({ id, at, by: 'support', action: 'refund', request_id: 'req_1' });
  const relay = await scriptedRelay(
    { status: 200, body: { entries: [entry('3'), entry('2')], next: '2' } },
    { status: 200, body: { entries: [entry('1')] } },
  );
  const ids: string[] = [];
  for await (const { id } of relay.client().audit.each({ limit: 2, order_no: 'A 1' })) ids.push(id);
  expect(ids).toEqual(['3', '2', '1']);
  expect(relay.asked.map(({ path }) => path)).toEqual([
    '/v1/audit?limit=2&order_no=A+1',
    '/v1/audit?limit=2&order_no=A+1&before=2',
  ]);
});

it('reads counts and sums of the time that is asked for', async () => {
  const outcomes = {
    approved: 1,
    declined: 0,
    refused: 0,
    not_paid: 0,
    in_flight: 0,
    redirected: 0,
    pending: 0,
    unknown: 0,
  };
  const total = {
    payments: 1,
    outcomes,
    approved: [],
    methods: [],
    decline_codes: [],
    gross: [],
    net: [],
    renewals: [],
    reversed: [],
    refunds: [],
  };
  const body = { by: 'hour', from: at, to: at, time_zone: 'UTC', computed_at: at, total, periods: [] };
  const relay = await scriptedRelay({ status: 200, body }, { status: 200, body });
  const { stats } = relay.client();
  expect((await stats({ by: 'hour', from: '2026-11-21T12:00:00+02:00', currency: 'BRL' })).total.payments).toBe(1);
  await stats();
  expect(relay.asked.map(({ path }) => path)).toEqual([
    '/v1/stats?by=hour&from=2026-11-21T12%3A00%3A00%2B02%3A00&currency=BRL',
    '/v1/stats',
  ]);
});

it('searches for a text of any kind', async () => {
  const none = { hits: [] };
  const answer = {
    searched: [{ as: 'of_a_newer_relay', value: 'R$ 1,00' }],
    ...{ orders: none, payments: none, sessions: none, operations: none, subscriptions: none },
  };
  const relay = await scriptedRelay({ status: 200, body: answer });
  expect(await relay.client().search('R$ 1,00')).toEqual(answer);
  expect(relay.asked.map(({ path }) => path)).toEqual(['/v1/search?q=R%24+1%2C00']);
});

it('reports reconciliations, and reads what waits', async () => {
  const period = { from: at, to: '2026-11-22T12:00:00.000Z', orders: 2, uncompared: 0, total: 0, differences: [] };
  const kept = { ...period, reported_at: at, by: 'nightly' };
  const group = { kind: 'of_a_newer_relay', count: 1, cases: [{ since: at, why: 'news' }] };
  const relay = await scriptedRelay(
    { status: 201, body: kept },
    { status: 200, body: kept },
    { status: 200, body: { at, groups: [group] } },
  );
  const { reconciliations, attention } = relay.client();
  expect((await reconciliations.report(period)).by).toBe('nightly');
  expect(await reconciliations.last()).toEqual(kept);
  expect((await attention()).groups).toEqual([group]);
  expect(relay.asked.map(({ path }) => path)).toEqual([
    '/v1/reconciliations',
    '/v1/reconciliations/last',
    '/v1/attention',
  ]);
});
