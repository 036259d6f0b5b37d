import { expect, it } from 'vitest';
import type { StoredOperation } from '../payments/operations/operation.ts';
import { emptyOrder, type StoredOrder } from '../payments/order.ts';
import { itemsAbout } from './detail.ts';

const payment = { transaction_id: 'T', amount: '12.50', currency: 'BRL', proof: 'record', date: '' } as const;
const order: StoredOrder = { ...emptyOrder('demo', 'A'), hold: 'paid', payments: [{ ...payment, recurring_id: 'R' }] };
const common = { id: 'op', account: 'demo', by: 'server', created_at: '', version: 1 };

it('an order has only its own items, each with outcome and reference', () => {
  const capture_orders = [{ transaction_id: 'U' }, { transaction_id: 'T' }, { order_no: 'A' }, { order_no: 'B' }];
  const capture: StoredOperation = {
    ...common,
    name: 'capture',
    request: { capture_orders },
    references: ['r0', 'r1', 'r2', 'r3'],
    state: { status: 'answered', answer: {}, items: ['failed', 'succeeded', 'unknown', 'failed'] },
  };
  expect(itemsAbout(order, capture)).toEqual([
    { request: { transaction_id: 'T' }, outcome: 'succeeded', reference: 'r1' },
    { request: { order_no: 'A' }, outcome: 'unknown', reference: 'r2' },
  ]);
});

it('an order has only the end of its own contract', () => {
  const ended = (recurring_id: string): StoredOperation => ({
    ...common,
    name: 'subscription_cancel',
    request: { recurring_id, contract_name: 'c' },
    state: { status: 'unknown', reason: 'timeout', since: '', evidence: {} },
  });
  expect(itemsAbout(order, ended('R'))).toEqual([
    { request: { recurring_id: 'R', contract_name: 'c' }, outcome: 'unknown' },
  ]);
  expect(itemsAbout(order, ended('S'))).toEqual([]);
});
