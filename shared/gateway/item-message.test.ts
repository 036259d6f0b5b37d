import { expect, it } from 'vitest';
import { itemMessage } from './item-message.ts';

const refund = { transaction_id: 'T1', refund_amount: '1.00' };
const said = (...refund_orders: object[]) => itemMessage({ return_status: '1', refund_orders }, refund);

it('assigns the gateway’s text to an item by its transaction', () => {
  expect(
    said({ transaction_id: 'T2', refund_message: 'V1:no' }, { transaction_id: 'T1', refund_message: 'V2:no' }),
  ).toBe('V2:no');
  expect(itemMessage({ capture_orders: [{ transaction_id: 'T1', error_message: 'V3' }] }, refund)).toBe('V3');
});

it('returns none if there is none, or if it is ambiguous', () => {
  expect(
    said({ transaction_id: 'T1', refund_message: 'V1' }, { transaction_id: 'T1', refund_message: 'V2' }),
  ).toBeUndefined();
  expect(said({ transaction_id: 'T1', error_message: '' })).toBeUndefined();
  expect(said({ transaction_id: 'T2', refund_message: 'V1' })).toBeUndefined();
  expect(itemMessage(undefined, refund)).toBeUndefined();
});
