import { expect, it } from 'vitest';
import { auditList } from '../../../shared/api/audit.ts';
import { MAX_DIFFERENCES, type ReconciliationReport } from '../../../shared/api/reconciliation.ts';
import { documented } from '../../support/relays/documented.ts';
import { apiKey, card, otherAccountKey, queryOnlyKey, startTestRelay } from '../../support/relays/relay.ts';

const there = { status: 'approved', amount: '129.90', currency: 'BRL' };
const report: ReconciliationReport = {
  ...{ from: '2027-03-30T00:00:00-03:00', to: '2027-03-31T00:00:00-03:00', orders: 412, uncompared: 2, total: 2 },
  differences: [
    { class: 'missing_here', order_no: 'A-1', transaction_id: 'T1', known: false, there },
    { class: 'amount', order_no: 'A-2', transaction_id: 'T2', here: there, there: { ...there, amount: '1.00' } },
  ],
};

async function setUp() {
  const relay = await startTestRelay({ gatewayUrl: 'http://127.0.0.1:1' });
  const reference = documented();
  const send = async (body: object, key = apiKey) => {
    const answer = await relay.post('/v1/reconciliations', key, body);
    reference.check('post', '/v1/reconciliations', answer);
    return answer;
  };
  const last = async (key = apiKey) => {
    const answer = await relay.get('/v1/reconciliations/last', key);
    reference.check('get', '/v1/reconciliations/last', answer);
    return answer;
  };
  return { relay, reference, send, last };
}

it('keeps the last report of an account and shows its differences', async () => {
  const { relay, reference, send, last } = await setUp();
  expect(await last()).toMatchObject({ status: 404, body: { code: 'not_found' } });
  expect(reference.isValidBody('/v1/reconciliations', report)).toBe(true);
  const kept = await send(report, queryOnlyKey);
  expect(kept).toMatchObject({
    status: 201,
    body: { ...report, by: 'query', from: '2027-03-30T03:00:00.000Z', to: '2027-03-31T03:00:00.000Z' },
  });
  expect((await last()).body).toEqual(kept.body);
  expect((await last(queryOnlyKey)).status).toBe(403);
  expect((await last(otherAccountKey)).status).toBe(404);
  const waits = await relay.get('/v1/attention', apiKey);
  const { groups, reconciliation } = waits.body;
  const since = kept.body.reported_at;
  expect(reconciliation).toMatchObject({ reported_at: since, orders: 412, total: 2 });
  expect(groups).toContainEqual({
    ...{ kind: 'difference', count: 2, oldest: since },
    cases: [
      { since, why: 'order_unknown_here', order_no: 'A-1', transaction_id: 'T1', amount: '129.90', currency: 'BRL' },
      { since, why: 'amount', order_no: 'A-2', transaction_id: 'T2', amount: '1.00', currency: 'BRL' },
    ],
  });
  const clean = await send({ ...report, total: 0, differences: [] });
  expect((await last()).body).toEqual(clean.body);
  const { entries } = auditList.parse((await relay.get('/v1/audit', apiKey)).body);
  expect(entries.map(({ by, action }) => [by, action])).toEqual([
    ['all', 'reconciliation.report'],
    ['query', 'reconciliation.report'],
  ]);
});

it('accepts a report once under its key', async () => {
  const { relay } = await setUp();
  const key = { 'idempotency-key': 'k-1' };
  const first = await relay.post('/v1/reconciliations', apiKey, report, key);
  const again = await relay.post('/v1/reconciliations', apiKey, report, key);
  expect(again.text).toBe(first.text);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
});

it('refuses reports that contradict themselves or are too long', async () => {
  const { send } = await setUp();
  const [one] = report.differences;
  const many = Array.from({ length: MAX_DIFFERENCES + 1 }, () => one);
  const wrong: [string, object][] = [
    ['from', { ...report, from: report.to }],
    ['total', { ...report, total: 1 }],
    ['differences', { ...report, total: many.length, differences: many }],
    ['differences.0.class', { ...report, differences: [{ ...one, class: 'other' }], total: 1 }],
    ['differences.0.order_no', { ...report, differences: [{ ...one, order_no: 'x'.repeat(256) }], total: 1 }],
    ['', { ...report, secret: 'x' }],
  ];
  for (const [path, body] of wrong) {
    const answer = await send(body);
    expect(answer.status, path).toBe(400);
    expect(answer.body.errors, path).toEqual(
      expect.arrayContaining([expect.objectContaining({ path: path || 'secret' })]),
    );
  }
});

it('masks card numbers in every field', async () => {
  const { relay, send } = await setUp();
  const side = { status: card.card, amount: card.card, currency: card.card };
  const difference = {
    ...{ class: 'amount', order_no: card.card, transaction_id: `x ${card.card}`, refund_reference_id: card.card },
    ...{ here: side, there: side },
  };
  expect((await send({ ...report, total: 1, differences: [difference] })).status).toBe(201);
  await relay.stop();
  expect([...relay.files(), ...relay.answers, ...relay.logLines].join()).not.toContain(card.card);
});
