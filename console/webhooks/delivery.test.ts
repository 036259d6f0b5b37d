import { expect, it } from 'vitest';
import type { EventAnswer } from '../../shared/api/event.ts';
import { eventTypes } from '../../shared/api/webhook.ts';
import { faultOf, ordersOf, types } from './delivery.tsx';

const at = '2027-03-31T10:15:00.000Z';
const webhook = (data: EventAnswer['data'], delivery?: EventAnswer['delivery']): EventAnswer => ({
  ...{ id: 'msg_1', type: 'session.approved', subject: 'cs_1', created_at: at, data, deliveries: [] },
  delivery: delivery ?? { status: 'delivered', tries: 1, delivered_at: at },
});

it('offers every type of webhook', () => expect(types.toSorted()).toEqual([...eventTypes].toSorted()));

it.each([
  [{ order_no: 'A-1' }, ['A-1']],
  [{ fields: { order_no: 'A-1' } }, ['A-1']],
  [{ records: [{ order_no: 'A-1' }, { order_no: 'A-2' }] }, ['A-1', 'A-2']],
  [{ items: [{ order_no: 'A-1' }, {}, { order_no: 'A-1' }] }, ['A-1']],
  [{ items: 'none', records: [null] }, []],
])('finds the orders in %j', (data, orders) => expect(ordersOf(webhook(data))).toEqual(orders));

it('says why the last try failed', () => {
  const failed = { status: 'failed', tries: 3, failed_at: at } as const;
  expect(faultOf(webhook({}, { ...failed, reason: 'http_410' }))).toBe('HTTP 410');
  expect(faultOf(webhook({}, { ...failed, reason: 'connection_refused' }))).toBe('connection refused');
  expect(faultOf(webhook({}))).toBeUndefined();
});
