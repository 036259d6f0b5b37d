import { describe, expect, it } from 'vitest';
import { orderParts } from './page-routes.ts';

const order = { order_no: 'A-1', currency: 'BRL', amount: '129.90' };
const tea = { name: 'Tea', code: 'T-1', price: '64.95', quantity: 2 };

describe('what an order is made of', () => {
  it('is its items, each with what all pieces of it come to', () => {
    expect(orderParts({ ...order, items: [tea] }, '129.90').items).toEqual([
      { name: 'Tea', quantity: 2, price: '64.95', total: '129.90' },
    ]);
  });

  it.each([
    ['KWD', '0.333', 3, '0.999'],
    ['JPY', '500.00', 2, '1000.00'],
    ['USD', '99999999999999.99', 1000, '99999999999999990.00'],
  ])('is exact in %s', (currency, price, quantity, total) => {
    const { items } = orderParts({ ...order, currency, items: [{ ...tea, price, quantity }] }, '129.90');
    expect(items[0]?.total).toBe(total);
  });

  it('lists every amount above zero, in the order of a bill', () => {
    const amounts = { tax_total: '5.00', shipping: '0.00', item_total: '119.90', discount: '1.00', insurance: '6.00' };
    expect(orderParts({ ...order, ...amounts }, '129.90').sums).toEqual([
      { name: 'item_total', amount: '119.90' },
      { name: 'discount', amount: '1.00' },
      { name: 'insurance', amount: '6.00' },
      { name: 'tax_total', amount: '5.00' },
    ]);
  });

  it('is cut short, and says by how many', () => {
    const { items, further } = orderParts({ ...order, items: Array.from({ length: 1000 }, () => tea) }, '129.90');
    expect([items.length, further]).toEqual([30, 970]);
  });

  it('is nothing where another amount is paid', () => {
    const parts = orderParts({ ...order, items: [tea], shipping: '1.00' }, '100.00');
    expect(parts).toEqual({ items: [], further: 0, sums: [] });
  });
});
