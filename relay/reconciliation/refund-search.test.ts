import { expect, it } from 'vitest';
import { paymentNames } from './refund-search.ts';

const refund = (transaction_id: string, order_no?: string) => ({
  transaction_id,
  currency: 'BRL',
  amount: '2.00',
  refund_amount: '1.00',
  ...(order_no === undefined ? {} : { order_no }),
});

it('a payment is searched once by its order and transaction', () => {
  expect(paymentNames([refund('T-1', 'A-1'), refund('T-2'), refund('T-1', 'A-1')], ',')).toEqual(['A-1', 'T-1', 'T-2']);
});

it('a name with the separator is omitted if another one exists', () => {
  expect(paymentNames([refund('T-1', 'A,1')], ',')).toEqual(['T-1']);
  expect(paymentNames([refund('T-1'), refund('T,2')], ',')).toBeUndefined();
});

it('names are not asked for that make a separator together', () => {
  expect(paymentNames([refund('T-1', 'A|')], '||')).toBeUndefined();
});
