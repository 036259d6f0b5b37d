import type { BigNumberInput } from '@medusajs/framework/types';
import { MathBN, MedusaError } from '@medusajs/framework/utils';
import { currencyDigits } from '#client';

/** A decimal of arbitrary precision, as Medusa calculates with it. */
export type Decimal = ReturnType<typeof MathBN.convert>;

/** The rounding modes of Medusa's decimals. */
const modes = { up: 2, down: 3, half_up: 4 } as const;

/** Medusa writes currencies in small letters. */
export function currencyOf(code: string): string {
  return code.toUpperCase();
}

/**
 * An amount of Medusa, in major units, rounded to the decimals of its currency: taxes and discounts can leave more. The calculation is
 * decimal, without floats. Throws MedusaError for a negative amount and for one that is not a number.
 */
export function rounded(amount: BigNumberInput, currency: string, mode: keyof typeof modes = 'half_up'): Decimal {
  const exact = MathBN.convert(amount);
  if (!exact.isFinite() || exact.isNegative()) {
    throw new MedusaError(MedusaError.Types.INVALID_DATA, `The amount ${exact} is negative or not a number`);
  }
  return exact.decimalPlaces(currencyDigits(currency), modes[mode]);
}

/** An amount as the relay takes it: a decimal string with the decimals of its currency. */
export function written(amount: BigNumberInput, currency: string): string {
  return rounded(amount, currency).toFixed(currencyDigits(currency));
}
