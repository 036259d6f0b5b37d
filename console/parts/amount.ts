import { isSignOf, readDecimal, splitMoney } from '../../shared/checkout/money/typed.ts';

/** Compares two decimal strings: negative if the first is less, zero if they are equal. */
export function compareAmounts(left: string, right: string): number {
  const [a, b] = [left, right].map(scaled);
  return a === b ? 0 : (a ?? 0n) < (b ?? 0n) ? -1 : 1;
}

const DECIMALS = 10;

function scaled(amount: string): bigint {
  const [whole = '', decimals = ''] = amount.split('.');
  return BigInt(whole + decimals.slice(0, DECIMALS).padEnd(DECIMALS, '0'));
}

/** The sum of two decimal strings. */
export const added = (one: string, other: string): string => written(scaled(one) + scaled(other));

/** The difference of two decimal strings. The second must not be greater than the first. */
export const subtracted = (whole: string, part: string): string => written(scaled(whole) - scaled(part));

function written(amount: bigint): string {
  const digits = amount.toString().padStart(DECIMALS + 1, '0');
  const decimals = digits.slice(-DECIMALS).replace(/0+$/, '').padEnd(2, '0');
  return `${digits.slice(0, -DECIMALS)}.${decimals}`;
}

/**
 * Reads an amount as a person types it in a locale: `1.299,90` or `1299,9` in Portuguese, `1,299.90` in English. Returns undefined
 * if it is ambiguous or no amount.
 * @param currency its sign or code may precede or follow the number
 */
export function readAmount(typed: string, locale: string, currency?: string): string | undefined {
  const { number, sign } = splitMoney(typed) ?? {};
  const isOwn = currency !== undefined && sign !== undefined && isSignOf(currency, sign, 'narrowSymbol');
  return readDecimal(isOwn && number !== undefined ? number : typed, decimalSign(locale));
}

/** An amount, with its currency if there is one, or the part that cannot be read. */
type ReadMoney = { amount: string; currency?: string } | { wrong: 'amount' | 'currency' };

/** Reads an amount that a person typed or pasted, in the form of any locale: `478,90`, `R$478.90`, `USD 1,299.90`. */
export function readMoney(typed: string, locale: string): ReadMoney {
  const { number = '', sign } = splitMoney(typed) ?? {};
  const own = decimalSign(locale);
  // An amount with both separators is not ambiguous, even in the form of the other locale.
  const other = /[.].*,|,.*[.]/.test(number) ? readDecimal(number, own === ',' ? '.' : ',') : undefined;
  const amount = readDecimal(number, own) ?? other;
  if (amount === undefined) return { wrong: 'amount' };
  if (sign === undefined) return { amount };
  const currency = Intl.supportedValuesOf('currency').find((one) => isSignOf(one, sign, 'symbol'));
  return currency === undefined ? { wrong: 'currency' } : { amount, currency };
}

/** An amount as a person types it in a locale: without currency and group separators. */
export function typedAmount(amount: string, locale: string): string {
  return amount.replace('.', decimalSign(locale));
}

function decimalSign(locale: string): '.' | ',' {
  const sign = new Intl.NumberFormat(locale).formatToParts(0.5).find(({ type }) => type === 'decimal')?.value;
  return sign === ',' ? ',' : '.';
}

/** Whether an amount is zero. */
export const isNothing = (amount: string): boolean => compareAmounts(amount, '0') === 0;

/** Whether both are amounts and equal. */
export function isSame(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && compareAmounts(one, other) === 0;
}
