import { describe, expect, it } from 'vitest';
import { operations } from '../../shared/gateway/operations.ts';
import { identity } from '../../test/support/gateways/operation-cases.ts';
import { disagreeing, failed, refunding } from '../../test/support/gateways/refunding.ts';
import { drop, type Script, sendSigned } from '../../test/support/gateways/scripted-gateway.ts';
import { doing, except, keptOperation, operationApi } from '../../test/support/relays/operation-api.ts';
import { notificationToken } from '../base/keys.ts';
import { accountOf } from '../context/context.ts';

const item = (amount: string, transaction_id = 'T-1') => ({
  ...{ transaction_id, order_no: 'A-1', currency: 'BRL', amount: '10.00' },
  refund_amount: amount,
});
const refundOf = (...amounts: string[]) => ({ refund_orders: amounts.map((amount) => item(amount)) });
const capture = { capture_orders: [{ transaction_id: 'T-1', order_no: 'A-1', currency: 'BRL', amount: '10.00' }] };
const request_id = '7F9C24E8-3b12-4fef-91d0-0123456789ab';
const payout = { request_id, beneficiary_id: 'b', payment_amount: '10', payment_currency: 'BRL' };

const isSearch = ({ path }: { path: string }): boolean => path === operations.refund_search.path;

/** The refunded sum of the payment, in minor units. Refunds with an unknown outcome count. */
async function refunded({ context }: Pick<Awaited<ReturnType<typeof operationApi>>, 'context'>) {
  return (await context.store.operations.refunded('demo', ['T-1'])).map(({ sum }) => sum);
}

describe('an operation', () => {
  it('is stored without card data and sent without its references', async () => {
    const api = await operationApi(doing);
    const refund_reason = 'card 4111111111111111';
    const body = { refund_orders: [{ ...item('4.00'), refund_reason }], references: ['r-1'] };
    const answer = await api.post('/v1/refund', body);
    expect(answer.status, answer.text).toBe(200);
    const operation = await keptOperation(api, answer);
    expect(operation).toMatchObject({
      ...{ account: 'demo', name: 'refund', by: 'all', version: 2, references: ['r-1'] },
      request: { refund_orders: [{ transaction_id: 'T-1', refund_amount: '4.00' }] },
      state: { status: 'answered', items: ['succeeded'] },
      settled_at: expect.any(String),
    });
    expect(JSON.stringify(operation)).not.toContain('4111111111111111');
    expect(operation.request).not.toHaveProperty('references');
    expect(operation).not.toHaveProperty('request_id');
    const [sent] = api.sent();
    expect(sent?.message).toMatchObject({ ...identity, refund_orders: [{ refund_reason }] });
    expect(sent?.message).not.toHaveProperty('references');
    expect(api.context.logLines.join()).toContain('operation answered');
    expect(api.context.logLines.some((line) => line.includes('"written":true') && line.includes(operation.id))).toBe(
      true,
    );
  });

  it('without references keeps none', async () => {
    const api = await operationApi(doing);
    const operation = await keptOperation(api, await api.post('/v1/capture', capture));
    expect(operation).not.toHaveProperty('references');
    expect(operation).not.toHaveProperty('lookup');
    expect(api.sent()[0]?.message).not.toHaveProperty('notify_url');
    expect(operation).toMatchObject({ settled_at: expect.any(String), state: { status: 'answered' } });
    expect(api.gateway.received.filter(isSearch)).toEqual([]);
  });

  it('uses each reference once', async () => {
    const api = await operationApi(doing);
    const first = await api.post('/v1/capture', { ...capture, references: ['r-1'] });
    const id = first.headers.get('x-operation-id');
    expect((await api.post('/v1/capture', { ...capture, references: ['r-1'] })).body).toMatchObject({
      ...{ code: 'reference_used', operation_id: id },
      errors: [{ path: 'references.0' }],
    });
    expect(api.sent()).toHaveLength(1);
  });

  it('is not sent while the relay is paused', async () => {
    const { post, sent, context } = await operationApi(doing, { config: { paused: true } });
    expect((await post('/v1/capture', capture)).body).toMatchObject({ code: 'relay_paused' });
    expect(sent()).toEqual([]);
    expect(await context.store.operations.list({ account: 'demo', limit: 9 })).toEqual([]);
  });

  it('names a transaction by its known spelling', async () => {
    const { post, sent } = await operationApi(doing);
    expect((await post('/v1/refund', refundOf('1.00'))).status).toBe(200);
    const other = { ...item('1.00', 't-1') };
    expect((await post('/v1/refund', { refund_orders: [item('1.00', 'T-2'), other] })).body).toMatchObject({
      code: 'transaction_id_form',
      errors: [{ path: 'refund_orders.1.transaction_id', message: 'must be "T-1" exactly' }],
    });
    expect(sent()).toHaveLength(1);
  });

  it('that the gateway refuses keeps why', async () => {
    const api = await operationApi(except((_received, res) => void res.writeHead(404).end('no such payment')));
    const answer = await api.post('/v1/capture', capture);
    expect(answer.body).toMatchObject({ status: 422, code: 'gateway_refused' });
    const operation = await keptOperation(api, answer);
    expect(operation).toMatchObject({
      state: { status: 'refused', evidence: { http_status: 404, body: 'no such payment' } },
      settled_at: expect.any(String),
    });
    expect(await api.events()).toEqual([]);
  });

  it('without a known outcome waits for a person', async () => {
    const api = await operationApi(except(drop));
    const { body } = await api.post('/v1/capture', capture);
    expect(body).toMatchObject({ status: 409, code: 'outcome_unknown' });
    const operation = await api.context.store.operations.get(String(body.operation_id));
    expect(operation).toMatchObject({ version: 2, state: { status: 'unknown', reason: 'connection_lost' } });
    expect(operation).not.toHaveProperty('settled_at');
    expect(await api.events()).toMatchObject([{ type: 'operation.unknown', data: { id: body.operation_id } }]);
    expect(api.context.logLines.some((line) => line.includes('"reason":"connection_lost"'))).toBe(true);
  });
});

describe('a refund', () => {
  it('reserves what it takes, and no more than is left', async () => {
    const api = await operationApi(doing);
    expect((await api.post('/v1/refund', refundOf('4.00', '5.00'))).status).toBe(200);
    expect(await refunded(api)).toEqual([900n]);
    expect((await api.post('/v1/refund', refundOf('0.50', '0.51'))).body).toMatchObject({
      ...{ code: 'refund_exceeds_payment', detail: '0.50 of this payment can still be refunded.' },
      errors: [{ path: 'refund_orders.1.refund_amount' }],
    });
    expect(await refunded(api)).toEqual([900n]);
    expect(api.sent()).toHaveLength(1);
  });

  it.each<[string, Script, bigint[]]>([
    ['failed', refunding(() => failed), []],
    [
      'succeeded in part',
      refunding(({ refund_amount }) =>
        refund_amount === '4.00' ? failed : { refund_status: '1', refund_message: 'V0000:' },
      ),
      [100n],
    ],
    ['has no reported outcome', refunding(() => disagreeing), [500n]],
    ['is not answered', except(drop), [500n]],
    ['was refused', except((_received, res) => void res.writeHead(400).end()), [500n]],
  ])('that %s takes what it may have', async (_, script, sum) => {
    const api = await operationApi(script);
    await api.post('/v1/refund', refundOf('4.00', '1.00'));
    expect(await refunded(api)).toEqual(sum);
  });

  it('that was not sent takes nothing', async () => {
    const api = await operationApi(doing);
    const { call } = api.context;
    api.context.call = (name, ...rest) =>
      name === 'refund' ? Promise.resolve({ kind: 'not_sent' }) : call(name, ...rest);
    const answer = await api.post('/v1/refund', refundOf('4.00'));
    expect(answer.body).toMatchObject({ code: 'gateway_unreachable' });
    expect(await refunded(api)).toEqual([]);
    expect(await keptOperation(api, answer)).toMatchObject({
      state: { status: 'not_sent' },
      settled_at: expect.any(String),
    });
  });

  it('is searched for once it is unknown, beside what was there before', async () => {
    const now = new Date('2026-11-21T09:00:00.000Z');
    const before = { ...item('2.00'), refund_reference_id: 'R-1', refund_status: '1' };
    const script: Script = (received, res, req) => {
      if (!isSearch(received)) return drop(received, res, req);
      sendSigned(res, { ...identity, return_status: '1', return_message: 'OK', refund_orders: [before] });
    };
    const api = await operationApi(script, { now: () => now });
    const answer = await api.post('/v1/refund', refundOf('1.00'));
    expect(answer.body.code).toBe('outcome_unknown');
    expect(await keptOperation(api, answer)).toMatchObject({
      lookup: {
        ...{ before: ['R-1'], asked_at: now.toISOString(), looks: 0, since: now.toISOString() },
        next_look_at: '2026-11-21T09:00:01.000Z',
      },
    });
    expect(await api.events()).toMatchObject([
      { type: 'operation.unknown', data: { unknown: { needs_attention: false } } },
    ]);
  });

  it('is not sent if an earlier one exists after all', async () => {
    let isThere = false;
    let answers = false;
    const script: Script = (received, res, req) => {
      if (!isSearch(received)) return answers ? doing(received, res, req) : drop(received, res, req);
      const found = isThere ? [{ ...item('1.00'), refund_reference_id: 'R-1', refund_status: '1' }] : [];
      sendSigned(res, { ...identity, return_status: '1', return_message: 'OK', refund_orders: found });
    };
    const api = await operationApi(script);
    const answer = await api.post('/v1/refund', refundOf('1.00'));
    const operation = await keptOperation(api, answer);
    await api.context.store.operations.finish({
      operation: {
        ...{ ...operation, version: 3, settled_at: operation.created_at },
        state: {
          status: 'settled',
          settlement: { by: 'refund_search', items: ['failed'], refund_reference_ids: [], absent: [0] },
        },
      },
      counted: [false],
      events: [],
    });
    answers = true;
    isThere = true;
    expect((await api.post('/v1/refund', refundOf('1.00'))).body).toMatchObject({
      ...{ status: 409, code: 'refund_exceeds_payment', operation_id: operation.id },
    });
    expect(api.sent()).toHaveLength(1);
    expect(await refunded(api)).toEqual([100n]);
    expect((await api.post('/v1/refund', refundOf('1.00'))).status).toBe(200);
  });
});

describe('a payout', () => {
  it('has a request_id of its own, and a notify_url of the relay', async () => {
    const api = await operationApi(doing);
    const answer = await api.post('/v1/payout', payout);
    const operation = await keptOperation(api, answer);
    expect(operation).toMatchObject({ request_id: request_id.toLowerCase(), request: { request_id } });
    expect(operation.request).not.toHaveProperty('notify_url');
    const token = notificationToken(accountOf(api.context, 'demo'), 'payout', operation.id);
    expect(api.sent()[0]?.message.notify_url).toBe(`http://127.0.0.1:8080/notify/payout/${operation.id}/${token}`);
    expect((await api.post('/v1/payout', { ...payout, request_id: request_id.toLowerCase() })).body).toMatchObject({
      ...{ code: 'request_id_used', operation_id: operation.id },
    });
    expect(api.sent()).toHaveLength(1);
  });

  it('keeps the notify_url that the shop gives', async () => {
    const api = await operationApi(doing);
    const notify_url = 'https://shop.example/payouts';
    await api.post('/v1/payout', { ...payout, notify_url });
    expect(api.sent()[0]?.message.notify_url).toBe(notify_url);
  });
});
