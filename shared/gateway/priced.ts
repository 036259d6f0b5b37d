import type { z } from 'zod';
import { inCurrency, isZero } from './amounts.ts';
import { currencyDigits } from './decimals.ts';

/** What a check of zod is given: the value, which it may replace, and the issues found so far. */
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

type Priced = { currency: string } & Partial<Record<(typeof amountFields)[number], string | undefined>>;
type PricedOrder = Priced & {
  amount: string;
  items?: { price: string }[] | undefined;
  subscription?: { contract_amount?: string | undefined } | undefined;
  token_flag?: string | undefined;
};

/** Writes amounts with their currency's decimals; refuses those that have more of them. */
export function inOwnCurrency<Value extends Priced>(payload: Payload<Value>): void {
  if (!isWhole(payload)) return;
  const { currency } = payload.value;
  const written: Priced = { currency };
  for (const field of amountFields) {
    const amount = payload.value[field];
    if (amount !== undefined) written[field] = writtenAt(payload, amount, currency, [field]);
  }
  payload.value = { ...payload.value, ...written };
}

/** The same for an order, with its items and its contract. An amount of nothing is for a free trial or a card check. */
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

/** True for a subscription of which anything is said. */
function hasTerms(subscription: object = {}): boolean {
  return Object.values(subscription).some((term) => term !== undefined && term !== '');
}

/** True where a card is to be kept; `0` says that it is not. */
function keepsCard(tokenFlag = ''): boolean {
  return tokenFlag !== '' && tokenFlag !== '0';
}

/** Amounts are looked at only where each field has the form of one. */
function isWhole({ issues }: Payload<unknown>): boolean {
  return issues.length === 0;
}

function writtenAt(payload: Payload<unknown>, amount: string, currency: string, path: (string | number)[]): string {
  const written = inCurrency(amount, currency);
  if (written !== undefined) return written;
  const message = `has more than the ${currencyDigits(currency)} decimals of ${currency}`;
  payload.issues.push({ code: 'custom', path, message, input: amount });
  return amount;
}
