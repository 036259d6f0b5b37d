import { toMinor } from '../../../shared/gateway/amounts.ts';
import type { Money } from './sides.ts';

/** How long the two books may need to agree about what was just sent. */
const YOUNG_MS = 5 * 60_000;

/** A sum as a text that equal sums share, in minor units. What no currency can be counted in is like itself alone. */
export function moneyKey(money: Money): string {
  return `${minorOf(money) ?? money.amount} ${money.currency}`;
}

/** Whether two sums are the same, however they are written. */
export function sameMoney(left: Money, right: Money): boolean {
  return moneyKey(left) === moneyKey(right);
}

/** A sum in minor units; undefined for what is no sum of its currency. */
export function minorOf({ amount, currency }: Money): bigint | undefined {
  try {
    return toMinor(amount, currency);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Whether something was sent so short ago that a book may not tell of it yet. */
export function isYoung(at: string | undefined, now: Date): boolean {
  return at !== undefined && now.getTime() - Date.parse(at) < YOUNG_MS;
}
