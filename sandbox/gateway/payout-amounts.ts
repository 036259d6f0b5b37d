import { fromHundredths, toHundredths } from '../../shared/gateway/amounts.ts';
import type { PayoutRequest } from '../../shared/gateway/payout.ts';
import { InvalidInput } from './refusals.ts';

type Asked = Pick<
  PayoutRequest,
  'payment_amount' | 'payment_currency' | 'source_amount' | 'source_currency' | 'fee_paid_by'
>;

const MAX_HUNDREDTHS = 9_999_999_999_999_99n;

/**
 * What a payout moves (§2.10). The fee is one per cent of the amount, rounded up to a hundredth: the payer pays it on top, or,
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
  const payment = toHundredths(payment_amount);
  const source = toHundredths(source_amount);
  const byBeneficiary = asked.fee_paid_by?.toUpperCase() === 'BENEFICIARY';
  const fee = onePerCentOf(byBeneficiary ? payment : source);
  return {
    payment_amount,
    payment_currency,
    source_amount,
    source_currency,
    amount_beneficiary_receives: exactNumber(byBeneficiary ? payment - fee : payment),
    amount_payer_pays: exactNumber(byBeneficiary ? source : source + fee),
    fee_amount: exactNumber(fee),
    fee_currency: byBeneficiary ? payment_currency : source_currency,
  };
}

function onePerCentOf(hundredths: bigint): bigint {
  return (hundredths + 99n) / 100n;
}

/** The spec wants numbers here; up to this size each has its own, and JSON writes it with the right two decimals. */
function exactNumber(hundredths: bigint): number {
  if (hundredths > MAX_HUNDREDTHS) throw new InvalidInput(`an amount is over ${fromHundredths(MAX_HUNDREDTHS)}`);
  return Number(fromHundredths(hundredths));
}
