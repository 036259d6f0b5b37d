/** A decimal: its whole part without leading zeros, and its decimals. */
const decimal = /^(?=\d{1,15}(?:\.|$))0*(\d+)(?:\.(\d+))?$/;

/**
 * Writes a decimal string with at least `min` decimals, and no further zeros. Throws RangeError for any other
 * text.
 */
export function withDecimals(amount: string, min: number): string {
  const match = decimal.exec(amount);
  if (!match?.[1]) throw new RangeError('not a decimal string');
  return `${match[1]}.${(match[2] ?? '').replace(/0+$/, '').padEnd(min, '0')}`;
}

/**
 * An amount in the form of messages: with the decimals of its currency, at least two. Undefined if it has further
 * decimals that are not zero. Throws RangeError for a text that is no decimal.
 */
export function inCurrency(amount: string, currency: string): string | undefined {
  return decimalsOf(amount) > currencyDigits(currency) ? undefined : withDecimals(amount, amountDigits(currency));
}

/**
 * A shop's amount in the form of messages, or its fault in its currency. An integer may be meant in cents. Throws
 * RangeError for a text that is no decimal.
 */
export function givenAmount(amount: string, currency: string): { written: string } | { fault: string } {
  const written = inCurrency(amount, currency);
  const digits = currencyDigits(currency);
  if (written === undefined) return { fault: `has more than the ${digits} decimals of ${currency}` };
  if (digits === 0 || amount.includes('.')) return { written };
  return { fault: `must have a decimal point: write ${written} for ${amount} ${currency}` };
}

/** An integer with decimals added, so that it is not taken for cents; any other text unchanged. */
export function withPoint(amount: string): string {
  return /^\d{1,15}$/.test(amount) ? `${amount}.00` : amount;
}

/** The number of decimals that an amount needs. */
function decimalsOf(amount: string): number {
  return (withDecimals(amount, 0).split('.')[1] ?? '').length;
}

/** Compares two decimal strings by value: `129.9` equals `129.90`. A text that is no decimal equals nothing. */
export function sameAmount(left: string, right: string): boolean {
  if (left === right) return decimal.test(left);
  const a = normalised(left);
  return a !== undefined && a === normalised(right);
}

function normalised(amount: string): string | undefined {
  return decimal.test(amount) ? withDecimals(amount, 0) : undefined;
}

/** The number of decimals of a currency's amounts: its own, at least two. */
export function amountDigits(currency: string): number {
  return Math.max(2, currencyDigits(currency));
}

/**
 * An amount in minor units of its currency: thousandths of a dinar, and hundredths of most others and of those without
 * decimals. Throws RangeError for further decimals and for a text that is no decimal.
 */
export function toMinor(amount: string, currency: string): bigint {
  const digits = amountDigits(currency);
  const [, whole, decimals = ''] = decimal.exec(amount) ?? [];
  if (whole === undefined) throw new RangeError('not a decimal string');
  if (/[^0]/.test(decimals.slice(digits))) throw new RangeError('more decimals than the currency has');
  return BigInt(whole + decimals.slice(0, digits).padEnd(digits, '0'));
}

/** An amount as `toMinor` returns it; undefined for a text that is no amount of its currency. */
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

/** Whether one amount is greater than another. Throws RangeError for a text that is no decimal. */
export function isMore(left: string, right: string): boolean {
  const [a, b] = [left, right].map((amount) => withDecimals(amount, 10));
  return BigInt((a ?? '').replace('.', '')) > BigInt((b ?? '').replace('.', ''));
}

/** True for an amount of zero. */
export function isZero(amount: string): boolean {
  return sameAmount(amount, '0');
}

/** The currencies of ISO 4217 with another number of decimals than two. */
const DIGITS: ReadonlyMap<string, number> = new Map([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'
    .split(' ')
    .map((code): [string, number] => [code, 0]),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code): [string, number] => [code, 3]),
  ...'CLF UYW'.split(' ').map((code): [string, number] => [code, 4]),
]);

/** The number of decimals of a currency by ISO 4217; two for an unknown currency. */
export function currencyDigits(currency: string): number {
  return DIGITS.get(currency) ?? 2;
}

/** A currency as a gateway may write it: lower case means the same. */
export function currencyIn(text: string): string {
  return /^[A-Za-z]{3}$/.test(text) ? text.toUpperCase() : text;
}
