import { z } from 'zod';
import { withDecimals } from './decimals.ts';
import { fixedForm } from './fixed-form.ts';

export { fromMinor, inCurrency, isMore, isZero, minorUnits, sameAmount, toMinor, withDecimals } from './decimals.ts';

/** A zod schema for a decimal amount: `wireAmount` in a message, one of the others in what a shop sends us. */
export type Amount = z.ZodType<string, string>;

/** The amount form of §2's samples: digits, a dot, two decimals, or as many as the currency has. */
export const wireAmount = fixedForm(
  z.string().regex(/^\d{1,15}\.\d{2,4}$/, 'must be a decimal string with two decimals'),
);

/** An amount as a shop may write it (`129.9`, `129`, `129.90`); comes out with two decimals, or as many as it needs. */
export const shopAmount = z
  .string('must be a decimal string such as "129.90"')
  .regex(/^\d{1,15}(\.\d{1,10})?$/, 'must be a decimal string such as "129.90"')
  .transform((value) => withDecimals(value, 2))
  .meta({
    name: 'Amount',
    description:
      'A decimal string with at most the decimals of its currency, two where that is not known. Never a number: money is not a float.',
  });

/** `shopAmount` above zero. */
export const positiveShopAmount = z
  .string('must be a decimal string such as "129.90"')
  .regex(/^(?!0+(\.0+)?$)\d{1,15}(\.\d{1,10})?$/, 'must be a decimal string of more than zero such as "129.90"')
  .transform((value) => withDecimals(value, 2))
  .meta({
    name: 'PositiveAmount',
    description:
      'A decimal string of more than zero with at most the decimals of its currency, two where that is not known.',
  });

/** A currency as a gateway may write it: in small letters it is the same. */
export function currencyIn(text: string): string {
  return /^[A-Za-z]{3}$/.test(text) ? text.toUpperCase() : text;
}
