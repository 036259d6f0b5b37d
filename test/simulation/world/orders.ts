import type { StoredOrder } from '../../../relay/payments/order.ts';
import type { Store } from '../../../relay/store/store.ts';
import { AMOUNTS } from '../steps.ts';

export type OrderBody = { order_no: string; amount: string; currency: string };

/** An order by its number, with one of few amounts. */
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

/** What a step calls by a number. */
export function amountOf(currency: Currency, amount: number): string {
  const amounts = AMOUNTS[currency];
  return amounts[amount % amounts.length] ?? amounts[0];
}

/** The account whose order it is: every third is the second one's. */
export function accountOf(orderNo: string): 'demo' | 'other' {
  return numberOf(orderNo) % 6 < 4 ? 'demo' : 'other';
}

function numberOf(orderNo: string): number {
  return Number(orderNo.slice(1));
}

/** The number of an order's renewal: one that no step makes, of the same account and currency. */
export function renewalOf(orderNo: string): string {
  return moved(orderNo, 1200);
}

/** How far the numbers of two orders lie apart that have the same order_no, one of each account. */
const APART = 4;

/**
 * The order_no that relays, shops and the gateway see. Orders of the second account have those of orders of the first one; here each
 * has a name of its own, so that a trace tells them apart.
 */
export function wireName(orderNo: string): string {
  return accountOf(orderNo) === 'other' ? moved(orderNo, -APART) : orderNo;
}

/** The name here of an account's order_no. */
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
