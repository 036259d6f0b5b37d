import { AMOUNTS } from '../steps.ts';
import type { OrderBody } from './http/api.ts';
import type { Scene } from './scene.ts';

/** An order by its number, with one of few amounts. */
export function orderOf({ orders }: Scene, order: number, amount = 0): OrderBody {
  const order_no = `O${order}`;
  orders.add(order_no);
  return { order_no, amount: AMOUNTS[amount % AMOUNTS.length] ?? '10.00', currency: 'BRL' };
}
