/** A decimal: its whole part without leading zeros, and its decimals. */
const decimal = /^(?=\d{1,15}(?:\.|$))0*(\d+)(?:\.(\d+))?$/;

/** Writes a decimal string with at least so many decimals, and no more than it needs. Throws RangeError for anything else. */
export function withDecimals(amount: string, least: number): string {
  const match = decimal.exec(amount);
  if (!match?.[1]) throw new RangeError('not a decimal string');
  return `${match[1]}.${(match[2] ?? '').replace(/0+$/, '').padEnd(least, '0')}`;
}

/**
 * An amount as a message carries it: with the decimals of its currency, at least two. Undefined where it has decimals beyond
 * its currency's that are not zero. Throws RangeError for what is no decimal.
 */
export function inCurrency(amount: string, currency: string): string | undefined {
  return decimalsOf(amount) > currencyDigits(currency) ? undefined : withDecimals(amount, amountDigits(currency));
}

/** How many decimals an amount needs. */
function decimalsOf(amount: string): number {
  return (withDecimals(amount, 0).split('.')[1] ?? '').length;
}

/** Compares two decimal strings by value: `129.9` equals `129.90`. Anything that is not a decimal equals nothing. */
export function sameAmount(left: string, right: string): boolean {
  if (left === right) return decimal.test(left);
  const a = normalised(left);
  return a !== undefined && a === normalised(right);
}

function normalised(amount: string): string | undefined {
  return decimal.test(amount) ? withDecimals(amount, 0) : undefined;
}

/** The decimals that a currency's amounts are written with: its own, at least two. */
function amountDigits(currency: string): number {
  return Math.max(2, currencyDigits(currency));
}

/**
 * An amount in its currency's minor units: thousandths of a dinar, hundredths of most others and of those that have none.
 * Throws RangeError for decimals beyond that and for what is no decimal.
 */
export function toMinor(amount: string, currency: string): bigint {
  const digits = amountDigits(currency);
  if (decimalsOf(amount) > digits) throw new RangeError('more decimals than the currency has');
  return BigInt(withDecimals(amount, digits).replace('.', ''));
}

/** An amount as `toMinor` gives it; none of what is no amount of its currency. */
export function minorUnits(amount: string, currency: string): bigint {
  try {
    return toMinor(amount, currency);
  } catch (error) {
    if (error instanceof RangeError) return 0n;
    throw error;
  }
}

/** Minor units as a decimal string with the currency's decimals, at least two. */
export function fromMinor(units: bigint, currency: string): string {
  const digits = amountDigits(currency);
  const text = String(units).padStart(digits + 1, '0');
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** Whether one amount is more than another. Throws RangeError for what is no decimal. */
export function isMore(left: string, right: string): boolean {
  const [a, b] = [left, right].map((amount) => withDecimals(amount, 10));
  return BigInt((a ?? '').replace('.', '')) > BigInt((b ?? '').replace('.', ''));
}

/** True for an amount of nothing. */
export function isZero(amount: string): boolean {
  return sameAmount(amount, '0');
}

/** The currencies of ISO 4217 that have not two decimals. */
const DIGITS: ReadonlyMap<string, number> = new Map([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'
    .split(' ')
    .map((code): [string, number] => [code, 0]),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code): [string, number] => [code, 3]),
  ...'CLF UYW'.split(' ').map((code): [string, number] => [code, 4]),
]);

/** How many decimals a currency has by ISO 4217; two for one that is not known. */
export function currencyDigits(currency: string): number {
  return DIGITS.get(currency) ?? 2;
}
