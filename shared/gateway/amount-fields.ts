import { z } from 'zod';
import { givenAmount, isZero } from './amounts.ts';
import { fixedForm } from './text.ts';

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
