import { z } from 'zod';
import { fixedForm } from './text.ts';

/** A decimal: its whole part without leading zeros, and its decimals. */
const decimal = /^(?=\d{1,15}(?:\.|$))0*(\d+)(?:\.(\d+))?$/;

/**
 * Writes a decimal string with at least this many decimals, and no unnecessary ones. Throws RangeError for any other
 * text.
 */
export function withDecimals(amount: string, least: number): string {
  const match = decimal.exec(amount);
  if (!match?.[1]) throw new RangeError('not a decimal string');
  return `${match[1]}.${(match[2] ?? '').replace(/0+$/, '').padEnd(least, '0')}`;
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

/** A zod schema for a decimal amount: `wireAmount` in a message, one of the others in a shop's request. */
export type Amount = z.ZodType<string, string>;

/** The form of amounts in §2's samples: digits, a dot, and two decimals, or as many as the currency has. */
export const wireAmount = fixedForm(
  z.string().regex(/^\d{1,15}\.\d{2,4}$/, 'must be a decimal string with two decimals'),
);

/** The message about a wrong amount. */
const notDecimal = 'must be a decimal string such as "129.90"';

const shopAmounts = z.registry<{ isShopAmount: true }>();

/** Whether a schema is that of a shop's amount. */
export function isShopAmount(schema: z.core.$ZodType): boolean {
  return shopAmounts.get(schema) !== undefined;
}

/**
 * A shop's amount: `129.9`, `129.90`. Together with its currency it is converted into the currency's form: see
 * `givenAmount`.
 */
export const shopAmount = z
  .string({ error: ({ input }) => (input === undefined ? undefined : notDecimal) })
  .regex(/^\d{1,15}(\.\d{1,10})?$/, notDecimal)
  .register(shopAmounts, { isShopAmount: true })
  .meta({
    name: 'Amount',
    description:
      'A decimal string with a decimal point, where its currency has decimals, and at most as many as that. Never a number: money is not a float.',
  });

/** `shopAmount` above zero. */
export const positiveShopAmount = z
  .string({ error: ({ input }) => (input === undefined ? undefined : notDecimal) })
  .regex(/^(?!0+(\.0+)?$)\d{1,15}(\.\d{1,10})?$/, 'must be a decimal string of more than zero such as "129.90"')
  .register(shopAmounts, { isShopAmount: true })
  .meta({
    name: 'PositiveAmount',
    description:
      'A decimal string of more than zero with a decimal point, where its currency has decimals, and at most as many as that.',
  });

/** A currency as a gateway may write it: lower case means the same. */
export function currencyIn(text: string): string {
  return /^[A-Za-z]{3}$/.test(text) ? text.toUpperCase() : text;
}

/** The input of a zod check: the value, which the check may replace, and the issues so far. */
type Payload<Value> = z.core.ParsePayload<Value>;

const amountFields = [
  'amount',
  'item_total',
  'shipping',
  'handling',
  'tax_total',
  'insurance',
  'shipping_discount',
  'discount',
  'refund_amount',
] as const;

type Priced = { currency?: string | undefined } & Partial<Record<(typeof amountFields)[number], string | undefined>>;
type PricedOrder = Priced & {
  currency: string;
  amount: string;
  items?: { price: string }[] | undefined;
  subscription?: { contract_amount?: string | undefined } | undefined;
  token_flag?: string | undefined;
};

/**
 * Converts amounts into the form of their currency, and refuses texts that are no amount of it. Without a currency they
 * stay unchanged.
 */
export function inOwnCurrency<Value extends Priced>(payload: Payload<Value>): void {
  if (!isWhole(payload)) return;
  const { currency } = payload.value;
  if (currency === undefined) return;
  const written: Priced = { currency };
  for (const field of amountFields) {
    const amount = payload.value[field];
    if (amount !== undefined) written[field] = writtenAt(payload, amount, currency, [field]);
  }
  payload.value = { ...payload.value, ...written };
}

/** The same for an order with its items and its contract. An amount of zero is for a free trial or a card check. */
export function pricedOrder<Value extends PricedOrder>(payload: Payload<Value>): void {
  if (!isWhole(payload)) return;
  inOwnCurrency(payload);
  const { currency, amount, items, subscription, token_flag } = payload.value;
  if (isZero(amount) && !hasTerms(subscription) && !keepsCard(token_flag)) {
    const message = 'must be more than zero where there is no subscription and no token_flag';
    payload.issues.push({ code: 'custom', path: ['amount'], message, input: amount });
  }
  const contract = subscription?.contract_amount;
  payload.value = {
    ...payload.value,
    ...(items
      ? {
          items: items.map((item, at) => ({
            ...item,
            price: writtenAt(payload, item.price, currency, ['items', at, 'price']),
          })),
        }
      : {}),
    ...(contract === undefined
      ? {}
      : {
          subscription: {
            ...subscription,
            contract_amount: writtenAt(payload, contract, currency, ['subscription', 'contract_amount']),
          },
        }),
  };
}

/** Whether a subscription has any field. */
function hasTerms(subscription: object = {}): boolean {
  return Object.values(subscription).some((term) => term !== undefined && term !== '');
}

/** True if the card is to be saved; `0` means that it is not. */
function keepsCard(tokenFlag = ''): boolean {
  return tokenFlag !== '' && tokenFlag !== '0';
}

/** Amounts are only checked if each field has the form of an amount. */
export function isWhole({ issues }: Payload<unknown>): boolean {
  return issues.length === 0;
}

function writtenAt(payload: Payload<unknown>, amount: string, currency: string, path: (string | number)[]): string {
  const given = givenAmount(amount, currency);
  if ('written' in given) return given.written;
  payload.issues.push({ code: 'custom', path, message: given.fault, input: amount });
  return amount;
}
