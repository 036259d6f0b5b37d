import { fromMinor, inCurrency, toMinor } from '../../../shared/gateway/amounts.ts';
import type { PayoutRequest } from '../../../shared/gateway/payout.ts';
import { InvalidInput } from '../base/refusals.ts';

type Asked = Pick<
  PayoutRequest,
  'payment_amount' | 'payment_currency' | 'source_amount' | 'source_currency' | 'fee_paid_by'
>;

const MAX_UNITS = 9_999_999_999_999_99n;

/**
 * What a payout moves (§2.10). The fee is one per cent of the amount, rounded up to the currency's smallest unit: the payer pays it on top, or,
 * with fee_paid_by BENEFICIARY, the beneficiary gets less. Who gives both amounts sets the rate; one amount alone counts on
 * both sides, whatever their currencies. Throws InvalidInput when an amount is missing, or too large for an exact number.
 */
export function payoutAmounts(asked: Asked) {
  const payment_amount = asked.payment_amount ?? asked.source_amount;
  const source_amount = asked.source_amount ?? asked.payment_amount;
  const payment_currency = asked.payment_currency ?? asked.source_currency;
  const source_currency = asked.source_currency ?? asked.payment_currency;
  if (payment_amount === undefined || source_amount === undefined) {
    throw new InvalidInput('payment_amount or source_amount is needed');
  }
  if (payment_currency === undefined || source_currency === undefined) {
    throw new InvalidInput('payment_currency or source_currency is needed');
  }
  const payment = minorOf(payment_amount, payment_currency);
  const source = minorOf(source_amount, source_currency);
  const byBeneficiary = asked.fee_paid_by?.toUpperCase() === 'BENEFICIARY';
  const fee = onePerCentOf(byBeneficiary ? payment : source);
  return {
    payment_amount,
    payment_currency,
    source_amount,
    source_currency,
    amount_beneficiary_receives: exactNumber(byBeneficiary ? payment - fee : payment, payment_currency),
    amount_payer_pays: exactNumber(byBeneficiary ? source : source + fee, source_currency),
    fee_amount: exactNumber(fee, byBeneficiary ? payment_currency : source_currency),
    fee_currency: byBeneficiary ? payment_currency : source_currency,
  };
}

function minorOf(amount: string, currency: string): bigint {
  const written = inCurrency(amount, currency);
  if (written === undefined) throw new InvalidInput(`an amount has more decimals than ${currency}`);
  return toMinor(written, currency);
}

function onePerCentOf(units: bigint): bigint {
  return (units + 99n) / 100n;
}

/** The spec wants numbers here; up to this size each has its own, and JSON writes it with the right decimals. */
function exactNumber(units: bigint, currency: string): number {
  if (units > MAX_UNITS) throw new InvalidInput(`an amount is over ${fromMinor(MAX_UNITS, currency)}`);
  return Number(fromMinor(units, currency));
}
