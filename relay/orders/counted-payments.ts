import { minorUnits } from '../../shared/gateway/amounts.ts';
import type { StandingPayment } from '../payments/ledger/order-status.ts';
import { isRenewal } from '../payments/order.ts';
import type { CountedPayment } from '../store/facets/listing.ts';

/** The maximum amount that a store can add up. No real payment is larger. */
const MAX_AMOUNT = BigInt(Number.MAX_SAFE_INTEGER);

/** The payments of an order in statistics, without payments whose amount, currency or date cannot be read. */
export function countedPayments(standings: readonly StandingPayment[]): CountedPayment[] {
  return standings.flatMap(({ payment, kept, status }): CountedPayment[] => {
    const { date, currency } = payment;
    const amount = minorUnits(payment.amount, currency);
    const isCountable = /^\d{4}-/.test(date) && !Number.isNaN(Date.parse(date)) && /^[A-Z]{3}$/.test(currency);
    if (!isCountable || amount > MAX_AMOUNT) return [];
    return [
      {
        ...{ paid_at: new Date(date).toISOString(), currency, amount, kept },
        ...{ isRenewal: isRenewal(payment), isReversed: status === 'reversed' },
      },
    ];
  });
}
