import { expect, it } from 'vitest';
import { operations } from '../../../shared/gateway/operations.ts';
import { readJsonDigits, withNumberTexts } from './json-answer.ts';

function read(name: 'query' | 'payout' | 'refund', json: string): unknown {
  const found = readJsonDigits(Buffer.from(json));
  if (typeof found === 'string') throw new Error(found);
  return withNumberTexts(operations[name].answer, found.message, found.digits);
}

it('reads numbers with their own digits in fields of text', () => {
  const record = '{"payment_status":3000,"amount":10.0,"transaction_id":12345678901234567890,"order_no":-0.50}';
  expect(read('query', `{"merchant_id":100001,"return_status":1,"orders_list":[${record}]}`)).toEqual({
    merchant_id: '100001',
    return_status: '1',
    orders_list: [
      { payment_status: '3000', amount: '10.0', transaction_id: '12345678901234567890', order_no: '-0.50' },
    ],
  });
});

it('reads them in the objects of a record and in every list', () => {
  const record =
    '{"subscription_result":{"recurring_id":7,"other":7},"fraud_check_result":[{"status":1},2],"is3ds":0,"new":8.10,"delivery_information":[1]}';
  expect(read('query', `{"orders_list":[${record},3,"x",null]}`)).toEqual({
    orders_list: [
      {
        subscription_result: { recurring_id: '7', other: 7 },
        fraud_check_result: [{ status: '1' }, 2],
        is3ds: '0',
        new: 8.1,
        delivery_information: [1],
      },
      3,
      'x',
      null,
    ],
  });
});

it('keeps numbers in fields of numbers, and other values', () => {
  expect(read('payout', '{"fee_amount":2.50,"payment_amount":100.10,"status":null}')).toEqual({
    fee_amount: 2.5,
    payment_amount: '100.10',
    status: null,
  });
  expect(read('refund', '{"refund_orders":[{"refund_amount":[1.0]}]}')).toEqual({
    refund_orders: [{ refund_amount: [1] }],
  });
});

it('takes names that are special to JavaScript for what they are', () => {
  expect(read('query', '{"constructor":1,"orders_list":[{"__proto__":{"amount":1},"amount":2}]}')).toMatchObject({
    constructor: 1,
    orders_list: [{ amount: '2' }],
  });
});

it('returns the message itself if it has no number', () => {
  const found = readJsonDigits(Buffer.from('{"return_status":"1","orders_list":[{"amount":"10.0"}]}'));
  if (typeof found === 'string') throw new Error(found);
  expect(withNumberTexts(operations.query.answer, found.message, found.digits)).toBe(found.message);
});
