import { z } from 'zod';

const decimal = /^(\d{1,15})(?:\.(\d+))?$/;

/** A zod schema for a decimal amount: `wireAmount` in a message, one of the others in what a shop sends us. */
export type Amount = z.ZodType<string, string>;

/** The amount form of §2's samples: digits, a dot, two decimals. */
export const wireAmount = z.string().regex(/^\d{1,15}\.\d{2}$/, 'must be a decimal string with two decimals');

/** An amount as a shop may write it (`129.9`, `129`, `129.90`); comes out in the spec's form. */
export const shopAmount = z
  .string('must be a decimal string such as "129.90"')
  .regex(/^\d{1,15}(\.\d{1,2})?$/, 'must be a decimal string with at most two decimals such as "129.90"')
  .transform((value) => toTwoDecimals(value));

/** `shopAmount` above zero. */
export const positiveShopAmount = z
  .string('must be a decimal string such as "129.90"')
  .regex(
    /^(?!0+(\.0+)?$)\d{1,15}(\.\d{1,2})?$/,
    'must be a decimal string of more than zero with at most two decimals such as "129.90"',
  )
  .transform((value) => toTwoDecimals(value));

/** Writes a decimal string of at most two decimals with exactly two. Throws RangeError for anything else. */
export function toTwoDecimals(amount: string): string {
  const match = decimal.exec(amount);
  const fraction = match?.[2] ?? '';
  if (!match?.[1] || fraction.length > 2) throw new RangeError('not a decimal string with at most two decimals');
  return `${BigInt(match[1])}.${fraction.padEnd(2, '0')}`;
}

/** Compares two decimal strings by value: `129.9` equals `129.90`. Anything that is not a decimal equals nothing. */
export function sameAmount(left: string, right: string): boolean {
  const a = normalised(left);
  return a !== undefined && a === normalised(right);
}

function normalised(amount: string): string | undefined {
  const match = decimal.exec(amount);
  if (!match?.[1]) return undefined;
  return `${BigInt(match[1])}.${(match[2] ?? '').replace(/0+$/, '')}`;
}

/** A decimal string of at most two decimals in hundredths. Throws RangeError for anything else. */
export function toHundredths(amount: string): bigint {
  return BigInt(toTwoDecimals(amount).replace('.', ''));
}

/** Hundredths as a decimal string with two decimals. */
export function fromHundredths(hundredths: bigint): string {
  return String(hundredths).padStart(3, '0').replace(/(..)$/, '.$1');
}
