import type { StoredOrder } from '../../../relay/payments/order.ts';
import type { Store } from '../../../relay/store/store.ts';
import { AMOUNTS } from '../steps.ts';

export type OrderBody = { order_no: string; amount: string; currency: string };

/** An order by its number, with one of a few amounts. */
export function orderOf({ orders }: { orders: Set<string> }, order: number, amount = 0): OrderBody {
  const order_no = `O${order}`;
  orders.add(order_no);
  const currency = currencyOf(order_no);
  return { order_no, amount: amountOf(currency, amount), currency };
}

type Currency = keyof typeof AMOUNTS;

const currencies: readonly Currency[] = ['BRL', 'BRL', 'JPY', 'KWD'];

/** Every fourth order is in yen, which have no decimals, and every fourth in dinars, which have three. */
export function currencyOf(orderNo: string): Currency {
  return currencies[numberOf(orderNo) % currencies.length] ?? 'BRL';
}

/** The amount with this index, for a step. */
export function amountOf(currency: Currency, amount: number): string {
  const amounts = AMOUNTS[currency];
  return amounts[amount % amounts.length] ?? amounts[0];
}

/** The account of an order: every third order belongs to the second one. */
export function accountOf(orderNo: string): 'demo' | 'other' {
  return numberOf(orderNo) % 6 < 4 ? 'demo' : 'other';
}

function numberOf(orderNo: string): number {
  return Number(orderNo.slice(1));
}

/** The number of an order's renewal, which no step uses, in the same account and currency. */
export function renewalOf(orderNo: string): string {
  return moved(orderNo, 1200);
}

/** The distance between the numbers of two orders with the same order_no, one of each account. */
const APART = 4;

/**
 * The order_no for relays, shops and the gateway. Orders of the second account share them with orders of the first one;
 * in the simulation each has its own name, by which traces distinguish them.
 */
export function wireName(orderNo: string): string {
  return accountOf(orderNo) === 'other' ? moved(orderNo, -APART) : orderNo;
}

/** The name in the simulation of an account's order_no. */
export function nameIn(account: string | undefined, orderNo: string): string {
  return account === 'other' ? moved(orderNo, APART) : orderNo;
}

function moved(name: string, by: number): string {
  return name.replace(/\d+/, (number) => String(Number(number) + by));
}

/** An order as a store holds it. */
export function storedOrder({ orders }: Pick<Store, 'orders'>, orderNo: string): Promise<StoredOrder> {
  return orders.get(accountOf(orderNo), wireName(orderNo));
}
