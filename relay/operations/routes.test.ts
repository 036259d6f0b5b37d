import { describe, expect, it } from 'vitest';
import { operationCases } from '../../test/support/gateways/operation-cases.ts';
import { holding } from '../../test/support/gateways/refunding.ts';
import { drop } from '../../test/support/gateways/scripted-gateway.ts';
import { captureOnlyKey, doing, except, operationApi, settleOnlyKey } from '../../test/support/relays/operation-api.ts';
import { otherAccountKey, queryOnlyKey } from '../../test/support/relays/relay.ts';
import { until } from '../../test/support/time/until.ts';

const item = { transaction_id: 'T-1', order_no: 'A-1', currency: 'BRL', amount: '10.00' };
const capture = { capture_orders: [item] };
const refund = { refund_orders: [{ ...item, refund_amount: '4.00' }] };

const idOf = ({ headers }: { headers: Headers }): string => headers.get('x-operation-id') ?? '';

const paths: Record<keyof typeof operationCases, string> = {
  query: '/v1/query',
  refund: '/v1/refund',
  refund_search: '/v1/refund/search',
  review: '/v1/review',
  capture: '/v1/capture',
  cancel: '/v1/cancel',
  subscription_cancel: '/v1/subscription/cancel',
  payout: '/v1/payout',
};

describe('the routes of operations', () => {
  it.each(Object.entries(paths))('have one for a %s', async (name, path) => {
    const [, { least }] = Object.entries(operationCases).find(([one]) => one === name) ?? ['', { least: {} }];
    const { post, sent, gateway } = await operationApi(doing);
    const answer = await post(path, least);
    expect(answer.status, answer.text).toBe(200);
    expect(name === 'refund_search' ? gateway.received : sent()).toHaveLength(1);
    expect(idOf(answer) !== '').toBe(!['query', 'refund_search'].includes(name));
  });

  it('need a key with their scope, and a body of JSON', async () => {
    const { post, sent } = await operationApi(doing);
    expect((await post('/v1/capture', capture, {}, 'wrong')).status).toBe(401);
    expect((await post('/v1/capture', capture, {}, queryOnlyKey)).body.code).toBe('missing_scope');
    expect((await post('/v1/query', { orders: ['A'] }, {}, queryOnlyKey)).status).toBe(200);
    expect((await post('/v1/capture', capture, { 'content-type': 'text/plain' })).status).toBe(415);
    expect(sent()).toHaveLength(1);
  });

  it('write into the audit log what was refused, with its orders', async () => {
    const { context, post } = await operationApi(doing);
    await post('/v1/capture', { ...capture, unknown: 1 });
    await post('/v1/query', { unknown: 1 });
    const log = () => context.store.people.listAudit({ account: 'demo', limit: 10 });
    await until('it is written', async () => (await log()).length > 0);
    expect(await log()).toMatchObject([{ action: 'capture', orders: ['A-1'], problem: 'invalid_request', by: 'all' }]);
    await post('/v1/capture', capture);
    expect(await log()).toMatchObject([
      { action: 'capture', orders: ['A-1'], subject: expect.stringMatching(/^op_/) },
      { problem: 'invalid_request' },
    ]);
    expect((await log())[0]).not.toHaveProperty('problem');
  });
});

describe('a key of a request', () => {
  const key = { 'idempotency-key': 'k-1' };

  it('gives what was done again, and nothing is sent', async () => {
    const { post, sent } = await operationApi(doing);
    const first = await post('/v1/capture', capture, key);
    const again = await post('/v1/capture', capture, key);
    expect(again.text).toBe(first.text);
    expect(idOf(again)).toBe(idOf(first));
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(sent()).toHaveLength(1);
    // Each route has keys of its own.
    expect((await post('/v1/cancel', { cancel_orders: [item] }, key)).status).toBe(200);
    expect(sent()).toHaveLength(2);
  });

  it('leads to an operation of which nothing is known', async () => {
    const { post, sent } = await operationApi(except(drop));
    const first = await post('/v1/capture', capture, key);
    expect(first.body).toMatchObject({
      status: 409,
      code: 'outcome_unknown',
      operation_id: expect.stringMatching(/^op_/),
    });
    const again = await post('/v1/capture', capture, key);
    expect(again.body).toMatchObject({ code: 'outcome_unknown', operation_id: first.body.operation_id });
    expect(sent()).toHaveLength(1);
  });

  it('leads to an operation that is being sent', async () => {
    const { script, answer } = holding(doing);
    const { post, sent } = await operationApi(script);
    const first = post('/v1/capture', capture, key);
    await until('it is sent', () => sent().length === 1);
    expect((await post('/v1/capture', capture, key)).body).toMatchObject({ status: 409, code: 'in_progress' });
    answer();
    expect((await first).status).toBe(200);
  });

  it('is free again where nothing was sent', async () => {
    const { context, post, sent } = await operationApi(doing);
    const { call } = context;
    context.call = async () => ({ kind: 'not_sent' });
    expect((await post('/v1/capture', capture, key)).body.code).toBe('gateway_unreachable');
    context.call = call;
    expect((await post('/v1/capture', capture, key)).status).toBe(200);
    expect(sent()).toHaveLength(1);
  });

  it('of a query gives the same answer again', async () => {
    const { post, sent } = await operationApi(doing);
    const first = await post('/v1/query', { orders: ['A'] }, key);
    expect((await post('/v1/query', { orders: ['A'] }, key)).text).toBe(first.text);
    expect(sent()).toHaveLength(1);
  });
});

describe('what the console’s page says to be refunded before', () => {
  const header = (value: string) => ({ 'x-refunded-before': value });

  it.each(['20', '20.0', '20.00000', 'x20.00', '20.00x', '1234567890123456.00', ''])(
    'is a decimal: not "%s"',
    async (given) => {
      const { post, sent } = await operationApi(doing);
      const answer = await post('/v1/refund', refund, header(given));
      expect(answer.body).toMatchObject({
        ...{ status: 400, code: 'invalid_request' },
        detail: 'Send X-Refunded-Before as a decimal such as 20.00.',
      });
      expect(sent()).toEqual([]);
    },
  );

  it('must be what was refunded', async () => {
    const { post, sent } = await operationApi(doing);
    expect((await post('/v1/refund', refund, header('4.00'))).body).toMatchObject({
      ...{ status: 409, code: 'refund_exceeds_payment' },
      detail: 'This payment was refunded meanwhile. Look again.',
    });
    expect((await post('/v1/refund', refund, header('0.00'))).status).toBe(200);
    expect((await post('/v1/refund', refund, header('4.00'))).status).toBe(200);
    expect((await post('/v1/refund', refund, header('123456789012345.0000'))).body.code).toBe('refund_exceeds_payment');
    expect((await post('/v1/refund', refund)).body).toMatchObject({
      errors: [{ message: 'must not be more than 2.00' }],
    });
    expect(sent()).toHaveLength(2);
  });
});

describe('GET /v1/operations/:id', () => {
  it('returns an operation of the account to a permitted key', async () => {
    const { get, post } = await operationApi(doing);
    const id = idOf(await post('/v1/capture', { ...capture, references: ['c-1'] }));
    const told = await get(`/v1/operations/${id}`);
    expect(told.headers.get('cache-control')).toBe('no-store');
    expect(told.body).toMatchObject({ id, operation: 'capture', status: 'answered', by: 'all', references: ['c-1'] });
    const notFound = { code: 'not_found', detail: 'This account has no operation with this id.' };
    expect((await get(`/v1/operations/${id}`, otherAccountKey)).body).toMatchObject(notFound);
    expect((await get('/v1/operations/op_1')).body).toMatchObject(notFound);
    expect((await get(`/v1/operations/${id}`, queryOnlyKey)).body).toMatchObject({
      code: 'missing_scope',
      detail: 'Use an API key with the scope "capture".',
    });
  });
});

describe('POST /v1/operations/:id/settle', () => {
  it('settles what is not known, once for each key', async () => {
    const { context, events, get, post } = await operationApi(except(drop));
    const { body } = await post('/v1/capture', capture);
    const path = `/v1/operations/${body.operation_id}/settle`;
    const key = { 'idempotency-key': 's-1' };
    expect((await post(path, { outcome: 'maybe' })).body.code).toBe('invalid_request');
    expect((await post(path, { outcome: 'failed' }, {}, queryOnlyKey)).body.code).toBe('missing_scope');
    expect((await post(path, { outcome: 'failed' }, {}, otherAccountKey)).body.code).toBe('not_found');
    const { answer: answerKey } = context.store.keys;
    // Its answer is kept with it, and not after it.
    context.store.keys.answer = () => Promise.reject(new TypeError('kept apart'));
    const settled = await post(path, { outcome: 'failed', note: '' }, key);
    context.store.keys.answer = answerKey;
    expect(settled.body).toMatchObject({
      ...{ id: body.operation_id, status: 'settled' },
      settlement: { by: 'person', who: 'all', items: ['failed'] },
    });
    expect((await post(path, { outcome: 'failed', note: '' }, key)).text).toBe(settled.text);
    expect((await post(path, { outcome: 'failed' })).body.code).toBe('operation_not_unknown');
    expect((await get(`/v1/operations/${body.operation_id}`)).body).toMatchObject({ status: 'settled' });
    expect((await events()).map(({ type }) => type)).toEqual([
      'operation.unknown',
      'operation.settled',
      'operation.completed',
    ]);
    await until(
      'refusals are written',
      async () => (await context.store.people.listAudit({ account: 'demo', limit: 9 })).length === 5,
    );
    const log = await context.store.people.listAudit({ account: 'demo', limit: 9 });
    expect(log.filter(({ action }) => action === 'operation.settle')).toHaveLength(4);
    for (const { action, subject } of log) if (action === 'operation.settle') expect(subject).toBe(body.operation_id);
  });

  it('needs the scope of the operation and the one to settle', async () => {
    const { post } = await operationApi(except(drop));
    const { body } = await post('/v1/capture', capture);
    const path = `/v1/operations/${body.operation_id}/settle`;
    for (const [key, scope] of [
      [captureOnlyKey, 'settle'],
      [settleOnlyKey, 'capture'],
    ] as const) {
      expect((await post(path, { outcome: 'failed' }, {}, key)).body).toMatchObject({
        code: 'missing_scope',
        detail: `Use an API key with the scope "${scope}".`,
      });
    }
  });
});

it('GET /v1/profile returns the meaning of the gateway’s records', async () => {
  const { get } = await operationApi(doing, { profile: { gateway_time_zone: 'America/Recife' } });
  const told = await get('/v1/profile', queryOnlyKey);
  expect(told.headers.get('cache-control')).toBe('no-store');
  expect(told.body).toEqual({
    gateway_time_zone: 'America/Recife',
    query_without_list: 'not_counted',
    codes: {
      payment_status: {
        ...{ approved: ['3000'], declined: ['4100'], pending: [], held: [] },
        ...{ charged_back: [], refunded: [], partially_refunded: [], cancelled: [] },
      },
      fraud_check: { rejected: ['REJECT'] },
      query_result: { not_found: [] },
      return_status: { success: ['1'], failed: ['0'] },
      refund_status: { success: ['1'], failed: ['0'] },
    },
  });
});
