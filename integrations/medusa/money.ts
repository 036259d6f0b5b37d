import type { BigNumberInput } from '@medusajs/framework/types';
import { MathBN } from '@medusajs/framework/utils';
import { currencyDigits } from 'turnpike/client';

/** A decimal of arbitrary precision, as Medusa calculates with it. */
export type Decimal = ReturnType<typeof MathBN.convert>;

const HALF_UP = 4;

/** Medusa writes currencies in small letters. */
export function currencyOf(code: string): string {
  return code.toUpperCase();
}

/**
 * An amount of Medusa, in major units, rounded half up to the decimals of its currency: taxes and discounts can leave more. The
 * calculation is decimal, without floats. Throws RangeError for a negative amount and for one that is not a number.
 */
export function rounded(amount: BigNumberInput, currency: string): Decimal {
  const exact = MathBN.convert(amount);
  if (!exact.isFinite() || exact.isNegative()) throw new RangeError('an amount of Medusa is negative or not a number');
  return exact.decimalPlaces(currencyDigits(currency), HALF_UP);
}

/** An amount as the relay takes it: a decimal string with the decimals of its currency. */
export function written(amount: BigNumberInput, currency: string): string {
  return rounded(amount, currency).toFixed(currencyDigits(currency));
}

/** The sum of Medusa's amounts, each rounded. */
export function sumOf(amounts: readonly BigNumberInput[], currency: string): Decimal {
  return MathBN.sum(...amounts.map((amount) => rounded(amount, currency)));
}
