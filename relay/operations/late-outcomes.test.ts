import { describe, expect, it } from 'vitest';
import { holding } from '../../test/support/gateways/refunding.ts';
import { unknownRefund } from '../../test/support/payments/operations.ts';
import { doing, keptOperation, operationApi } from '../../test/support/relays/operation-api.ts';
import { testContext } from '../../test/support/stores/context.ts';
import { until } from '../../test/support/time/until.ts';
import { StoreError } from '../base/errors.ts';
import type { OperationState } from '../payments/operations/operation.ts';
import { noteBegun } from '../reconciliation/send-window.ts';
import { replyAgain } from './run-operation.ts';

const capture = { capture_orders: [{ transaction_id: 'T-1', order_no: 'A-1', currency: 'BRL', amount: '10.00' }] };

describe('an outcome that the store does not take', () => {
  /** A relay whose store fails this number of times when an operation ends. */
  async function losing(times: number, error: Error, script = doing) {
    const api = await operationApi(script);
    const { store } = api.context;
    const late: { of: object; write: () => Promise<unknown> }[] = [];
    let left = times;
    api.context.lateWrites = { add: (of, write) => void late.push({ of, write }) };
    api.context.store = {
      ...store,
      operations: {
        ...store.operations,
        finish: async (finish) => {
          if (left-- > 0) throw error;
          return store.operations.finish(finish);
        },
      },
    };
    return { ...api, late };
  }

  it('is written later, and unknown to the shop until then', async () => {
    const api = await losing(1, new StoreError('lost'));
    const key = { 'idempotency-key': 'k' };
    const answer = await api.post('/v1/capture', capture, key);
    expect(answer.body).toMatchObject({ status: 409, code: 'outcome_unknown' });
    const { id, state } = await keptOperation(api, answer);
    expect(state).toEqual({ status: 'in_flight' });
    const logged = api.context.logLines.find((line) => line.includes('outcome of an operation not stored')) ?? '{}';
    expect(JSON.parse(logged)).toMatchObject({
      operation: id,
      name: 'capture',
      status: 'answered',
      error: 'StoreError',
    });
    expect(api.late).toMatchObject([{ of: { operation: id } }]);
    await api.late[0]?.write();
    expect(await keptOperation(api, answer)).toMatchObject({ state: { status: 'answered', items: ['succeeded'] } });
    // What was answered is kept under the key by then.
    expect((await api.post('/v1/capture', capture, key)).status).toBe(200);
    expect(api.sent()).toHaveLength(1);
  });

  it('of an operation that was not sent says so all the same', async () => {
    const api = await losing(1, new StoreError('lost'));
    api.context.call = async () => ({ kind: 'not_sent' });
    expect((await api.post('/v1/capture', capture)).body).toMatchObject({ code: 'gateway_unreachable' });
    expect(api.late).toHaveLength(1);
  });

  it('for a fault of the relay is not tried again', async () => {
    const api = await losing(1, new TypeError('a fault'));
    expect((await api.post('/v1/capture', capture)).body).toMatchObject({ code: 'outcome_unknown' });
    expect(api.late).toEqual([]);
    expect(api.context.logLines.some((line) => line.includes('"error":"TypeError"'))).toBe(true);
  });
});

describe('an answer that comes after a verdict', () => {
  /** A capture whose answer waits until the operation was written meanwhile. */
  async function overtaken(meanwhile: object) {
    const { script, answer } = holding(doing);
    const api = await operationApi(script);
    const key = { 'idempotency-key': 'k' };
    const answering = api.post('/v1/capture', capture, key);
    await until('it is sent', () => api.sent().length === 1);
    const [operation] = await api.context.store.operations.list({ account: 'demo', limit: 1 });
    if (!operation) throw new Error('no operation');
    await api.context.store.operations.finish({ operation: { ...operation, version: 2, ...meanwhile }, events: [] });
    answer();
    const answered = await answering;
    return {
      ...api,
      answered,
      operation: await keptOperation(api, answered),
      again: () => api.post('/v1/capture', capture, key),
    };
  }

  it('of a relay that thought it lost is written', async () => {
    const since = '2026-11-21T09:00:00.000Z';
    const lost = { state: { status: 'unknown', reason: 'relay_stopped', since, evidence: {} } };
    const { answered, operation, again, events } = await overtaken(lost);
    expect(answered.status).toBe(200);
    expect(operation).toMatchObject({ version: 3, state: { status: 'answered', items: ['succeeded'] } });
    expect((await again()).text).toBe(answered.text);
    expect((await events()).map(({ type }) => type)).toEqual(['operation.settled', 'operation.completed']);
  });

  it('of a person is replaced, and reported', async () => {
    const settlement = { by: 'person', who: 'ops', items: ['failed'] };
    const { operation, events } = await overtaken({ state: { status: 'settled', settlement } });
    expect(operation).toMatchObject({ state: { status: 'answered', items: ['succeeded'], settlement } });
    expect((await events()).map(({ type }) => type)).toEqual(['operation.settled', 'operation.completed']);
  });

  it('changes nothing if it is equal, and is answered again', async () => {
    const state = { status: 'answered', answer: { known: 'before' }, items: ['succeeded'] };
    const { answered, operation, again, context } = await overtaken({ state });
    expect(answered.status).toBe(200);
    expect(operation).toMatchObject({ version: 2, state });
    expect((await again()).text).toBe(answered.text);
    expect(context.logLines.some((line) => line.includes('"written":false'))).toBe(true);
  });
});

describe('a request whose key leads to an operation', () => {
  const begun = '2026-11-21T09:00:00.000Z';

  /** Its answer about an operation that began this many milliseconds ago. */
  async function told(state: OperationState, age = 0, isBeingSent = false) {
    const now = new Date(Date.parse(begun) + age);
    const context = await testContext({ now: () => now });
    if (isBeingSent) noteBegun(context, 'op_1');
    return replyAgain(context, unknownRefund({ state, created_at: begun }));
  }

  it('is answered with its result', async () => {
    const answered: OperationState = { status: 'answered', answer: { a: '1' }, items: ['succeeded'] };
    expect(await told(answered)).toMatchObject({ status: 200, body: '{"a":"1","operation_id":"op_1"}' });
    expect(await told({ status: 'refused', evidence: {} })).toMatchObject({ status: 422 });
  });

  it('is made again where it was not sent', async () => {
    expect(await told({ status: 'not_sent' })).toBe('again');
  });

  it.each([
    ['begun just now', 34_999, false, 'in_progress'],
    ['begun so long ago that its relay is gone', 35_000, false, 'outcome_unknown'],
    ['begun long ago, and still being sent', 35_000, true, 'in_progress'],
  ])('gets the state of one that was %s', async (_, age, isBeingSent, code) => {
    await expect(told({ status: 'in_flight' }, age, isBeingSent)).rejects.toMatchObject({ code });
  });

  it('gets that the result is unknown, or settled', async () => {
    const unknown: OperationState = { status: 'unknown', reason: 'timeout', since: begun, evidence: {} };
    await expect(told(unknown)).rejects.toMatchObject({ code: 'outcome_unknown' });
    const settlement = { by: 'person', who: 'ops', items: ['failed'] } as const;
    const settled: OperationState = { status: 'settled', settlement: { ...settlement, items: ['failed'] } };
    await expect(told(settled)).rejects.toMatchObject({ code: 'operation_settled' });
  });
});
