import { describe, expect, it } from 'vitest';
import { refundReservations, reservationsOf } from './reservations.ts';

describe('what a refund reserves', () => {
  const item = { transaction_id: 'T1', currency: 'BRL', amount: '10.00', refund_amount: '2.50' };
  const reserved = { name: 'refund', transaction_id: 'T1', currency: 'BRL', amount: 250n, original: 1000n };

  it('is each item’s amount in minor units', () => {
    const dinars = { transaction_id: 'T2', currency: 'KWD', amount: '1.000', refund_amount: '0.125' };
    expect(refundReservations({ refund_orders: [item, dinars] })).toEqual([
      reserved,
      { name: 'refund', transaction_id: 'T2', currency: 'KWD', amount: 125n, original: 1000n },
    ]);
  });

  it('includes refunds above the stated amount', () => {
    expect(refundReservations({ refund_orders: [{ ...item, refund_amount: '10.01' }] })).toEqual([
      { ...reserved, amount: 1001n },
    ]);
  });

  it('includes the required sum of refunds, once for each payment', () => {
    const other = { ...item, transaction_id: 'T2' };
    expect(refundReservations({ refund_orders: [item, item, other] }, new Map([['T1', 150n]]))).toEqual([
      { ...reserved, refunded: 150n },
      reserved,
      { ...reserved, transaction_id: 'T2', refunded: 0n },
    ]);
  });
});

describe('what another operation asks of its payments', () => {
  const refused = { after: '2026-01-01T00:00:00.000Z', until: '2026-01-01T00:15:00.000Z' };
  const terms = {
    of: (id: string) => ({ capture: id === 'T1' ? ('manual' as const) : ('unknown' as const) }),
    rejects: ['NO'],
    refused,
  } as const;
  const item = { transaction_id: 'T1', currency: 'BRL', amount: '10.00' };

  it.each(['capture', 'cancel'] as const)('is each item of a %s', (name) => {
    const items = { [`${name}_orders`]: [item, { ...item, transaction_id: 'T2', currency: 'KWD', amount: '1.125' }] };
    expect(reservationsOf(name, items, terms)).toEqual([
      { name, transaction_id: 'T1', currency: 'BRL', amount: 1000n, capture: 'manual', rejects: ['NO'], refused },
      { name, transaction_id: 'T2', currency: 'KWD', amount: 1125n, capture: 'unknown', rejects: ['NO'], refused },
    ]);
  });

  it('is nothing for what concerns no payment', () => {
    expect(reservationsOf('payout', { amount: '1.00' }, terms)).toEqual([]);
    expect(reservationsOf('subscription_cancel', { recurring_id: 'R' }, terms)).toEqual([]);
  });

  it('is the same of a refund, with its terms', () => {
    const refund_orders = [{ ...item, refund_amount: '2.50' }];
    expect(reservationsOf('refund', { refund_orders }, terms)).toEqual([
      {
        ...{ name: 'refund', transaction_id: 'T1', currency: 'BRL', amount: 250n, original: 1000n },
        capture: 'manual',
        rejects: ['NO'],
        refused,
      },
    ]);
  });
});
