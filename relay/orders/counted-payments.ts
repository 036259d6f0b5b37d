import { minorUnits } from '../../shared/gateway/amounts.ts';
import { historyIn } from '../payments/ledger/payment-operation.ts';
import { standingOf } from '../payments/ledger/standing.ts';
import { isRenewal, type StoredOrder } from '../payments/order.ts';
import type { CountedPayment } from '../store/facets/listing.ts';
import type { Seen } from './summary.ts';

/** More than this is no payment: a store could not add it up. */
const MAX_AMOUNT = BigInt(Number.MAX_SAFE_INTEGER);

/** What statistics count of the payments of an order. A payment whose amount, currency or date cannot be read is left out. */
export function countedPayments(order: StoredOrder, { histories, rules }: Omit<Seen, 'now'>): CountedPayment[] {
  return order.payments.flatMap((payment): CountedPayment[] => {
    const { date, currency, transaction_id } = payment;
    const amount = minorUnits(payment.amount, currency);
    const isCountable = /^\d{4}-/.test(date) && !Number.isNaN(Date.parse(date)) && /^[A-Z]{3}$/.test(currency);
    if (!isCountable || amount > MAX_AMOUNT) return [];
    const { kept, status } = standingOf(order, payment, historyIn(histories, transaction_id), rules);
    return [
      {
        ...{ paid_at: new Date(date).toISOString(), currency, amount, kept },
        ...{ isRenewal: isRenewal(payment), isReversed: status === 'reversed' },
      },
    ];
  });
}
