import { expect, it } from 'vitest';
import { withStatusTexts } from './read-answer.ts';

it('gives codes that are whole numbers as text, wherever they stand', () => {
  const record = { payment_status: 3000, amount: 5, subscription_result: { recurring_status: 1, count: 2 } };
  expect(withStatusTexts({ return_status: 1, return_message: 'OK', orders_list: [record, 7, 'x'] })).toEqual({
    return_status: '1',
    return_message: 'OK',
    orders_list: [
      { payment_status: '3000', amount: 5, subscription_result: { recurring_status: '1', count: 2 } },
      7,
      'x',
    ],
  });
});

it('leaves every other value and message as it is', () => {
  const message = { return_status: '1', refund_status: 1.5, status: null, cancel_status: [1], orders_list: [{ a: 1 }] };
  expect(withStatusTexts(message)).toBe(message);
});
