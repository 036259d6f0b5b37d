import { describe, expect, it } from 'vitest';
import { testContext } from '../../test/support/stores/context.ts';
import type { ItemOutcome, OperationState, StoredOperation } from '../payments/operations/operation.ts';
import { operationEvents, payoutNotified, payoutUpdated } from './operation-events.ts';

const webhook = { url: 'https://shop.example/webhooks', secrets: [`whsec_${Buffer.alloc(24).toString('base64')}`] };
const created_at = '2026-03-01T12:00:00.000Z';

function operationIn(state: OperationState, name: StoredOperation['name'] = 'refund'): StoredOperation {
  return {
    id: 'op_1',
    account: 'demo',
    name,
    by: 'server',
    created_at,
    version: 1,
    request: { request_id: 'r-1' },
    state,
  };
}

const inFlight: OperationState = { status: 'in_flight' };
const unknown: OperationState = { status: 'unknown', reason: 'timeout', since: created_at, evidence: {} };
const settled: OperationState = { status: 'settled', settlement: { by: 'person', who: 'ops', items: ['succeeded'] } };
const answered = (...items: ItemOutcome[]): OperationState => ({ status: 'answered', answer: { a: '1' }, items });

describe('the webhooks of an operation', () => {
  it.each<[string, OperationState, OperationState, ...types: string[]]>([
    ['is answered', inFlight, answered('succeeded', 'failed'), 'operation.completed'],
    ['is refused', inFlight, { status: 'refused', evidence: {} }],
    ['was not sent', inFlight, { status: 'not_sent' }],
    ['is refused once it was unknown', unknown, { status: 'refused', evidence: {} }, 'operation.completed'],
    ['is released', { status: 'refused', evidence: {}, reserved: true }, { status: 'refused', evidence: {} }],
    ['is not known', inFlight, unknown, 'operation.unknown'],
    ['is answered with an item that is not known', inFlight, answered('succeeded', 'unknown'), 'operation.unknown'],
    ['is still not known', unknown, { ...unknown, evidence: { http_status: 500 } }],
    ['is settled', unknown, settled, 'operation.settled', 'operation.completed'],
    [
      'is settled after an answer that left something open',
      answered('unknown'),
      settled,
      'operation.settled',
      'operation.completed',
    ],
    ['is answered as a person had said', settled, answered('succeeded')],
    [
      'is answered otherwise than a person had said',
      settled,
      answered('failed'),
      'operation.settled',
      'operation.completed',
    ],
  ])('when it %s', async (_, before, after, ...types) => {
    const context = await testContext({ account: { webhook } });
    const events = operationEvents(context, operationIn(before), operationIn(after));
    expect(events.map((event) => event.type)).toEqual(types);
  });

  it('send it once more when the search ends, not each time', async () => {
    const context = await testContext({ account: { webhook } });
    const lookup = { before: [], asked_at: created_at, looks: 1 };
    const searched = { ...operationIn(unknown), lookup: { ...lookup, next_look_at: created_at } };
    const givenUp = { ...operationIn(unknown), lookup: { ...lookup, looks: 2 } };
    expect(operationEvents(context, searched, searched)).toEqual([]);
    const [event, ...more] = operationEvents(context, searched, givenUp);
    expect(event?.type).toBe('operation.unknown');
    expect(JSON.parse(event?.body ?? '').data.unknown).toMatchObject({ queries: 2, needs_attention: true });
    expect(more).toEqual([]);
    expect(operationEvents(context, givenUp, givenUp)).toEqual([]);
  });

  it('need no person for a payout that is under way', async () => {
    const context = await testContext({ account: { webhook } });
    const payout = (state: OperationState): StoredOperation => operationIn(state, 'payout');
    expect(operationEvents(context, payout(inFlight), payout(answered('unknown')))).toEqual([]);
    expect(operationEvents(context, payout(inFlight), payout(unknown))).toHaveLength(1);
  });

  it('carry the operation as the shop sees it', async () => {
    const context = await testContext({ account: { webhook } });
    const [event] = operationEvents(context, operationIn(inFlight), operationIn(unknown));
    expect(event).toMatchObject({ account: 'demo', subject: 'op_1' });
    const data = { id: 'op_1', operation: 'refund', status: 'unknown', unknown: { reason: 'timeout' } };
    expect(JSON.parse(event?.body ?? '')).toMatchObject({ type: 'operation.unknown', data });
    const [moved, done] = payoutUpdated(
      context,
      operationIn(answered('unknown'), 'payout'),
      operationIn(answered('succeeded'), 'payout'),
    );
    expect(JSON.parse(moved?.body ?? '')).toMatchObject({ type: 'payout.updated', data: { items: ['succeeded'] } });
    const ended = { id: 'op_1', name: 'payout', items: [{ request_id: 'r-1', status: 'succeeded' }] };
    expect(JSON.parse(done?.body ?? '')).toMatchObject({ type: 'operation.completed', data: ended });
  });

  it('have each item with its names', async () => {
    const context = await testContext({ account: { webhook } });
    const item = { transaction_id: 'T', order_no: 'A', currency: 'BRL', amount: '9.00', refund_amount: '4.00' };
    const request = { refund_orders: [item, { ...item, refund_reason: 'broken' }] };
    const refund: StoredOperation = { ...operationIn(inFlight), by: 'server', references: ['r-1', 'r-2'], request };
    const state = answered('succeeded', 'failed');
    const [event] = operationEvents(context, refund, { ...refund, state, settled_at: created_at });
    expect(JSON.parse(event?.body ?? '').data).toEqual({
      ...{ id: 'op_1', name: 'refund', by: 'server', status: 'answered', created_at, settled_at: created_at },
      items: [
        { ...item, status: 'succeeded', reference: 'r-1' },
        { ...item, status: 'failed', reference: 'r-2' },
      ],
    });
  });

  it('pass a notification on with what identifies it and no card data', async () => {
    const context = await testContext({ account: { webhook } });
    const message = { status: 'PAID', request_id: 'r-1', transaction_id: 'T', iban: 'GB33', short_reference_id: 7 };
    const received = { bytes: 99, sha256: 'a'.repeat(64), message: { ...message, note: '4111 1111 1111 1111' } };
    const [event] = payoutNotified(context, operationIn(unknown, 'payout'), received, false);
    const { data } = JSON.parse(event?.body ?? '');
    expect(data).toMatchObject({ id: 'op_1', verified: false });
    expect(data.notification).toEqual({
      sha256: 'a'.repeat(64),
      bytes: 99,
      status: 'PAID',
      request_id: 'r-1',
      transaction_id: 'T',
    });
    expect(event?.body).not.toContain('4111');
  });

  it('give the same notification the same id, and another one another', async () => {
    const context = await testContext({ account: { webhook } });
    const idOf = (sha256: string): string | undefined => {
      const received = { bytes: 1, sha256, message: undefined };
      return payoutNotified(context, operationIn(unknown, 'payout'), received, false)[0]?.id;
    };
    expect(idOf('a')).toBe(idOf('a'));
    expect(idOf('a')).not.toBe(idOf('b'));
  });
});
