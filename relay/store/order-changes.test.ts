import { expect, it } from 'vitest';
import { orderDataFrom } from './order-changes.ts';

const data = { payments: [], decided: [], queries: { failures: 0 }, noticed: 0 };
const charge = {
  ...{ transaction_id: 'T2', recurring_id: 'R1', order_no: 'A-R2', amount: '10.00', currency: 'BRL' },
  ...{ date: '2026-01-01T00:00:00.000Z', told_at: '2026-01-01T00:00:00.000Z' },
};

it('reads the charges that an earlier version reported', () => {
  expect(orderDataFrom({ ...data, charges: ['T1', charge] })).toEqual({
    ...data,
    charges: [charge],
    told_charges: ['T1'],
  });
  expect(orderDataFrom(data)).toEqual(data);
});
