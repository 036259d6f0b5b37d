import { type LimitedName, type Limits, limitedNames } from '../../shared/api/console.ts';
import { fromMinor, toMinor } from '../../shared/gateway/amounts.ts';
import type { EffectName } from '../../shared/gateway/operations.ts';
import type { Message } from '../../shared/gateway/signature.ts';
import { ProblemError } from '../base/errors.ts';
import { knownPayments } from '../commit/payment-answer.ts';
import type { Context } from '../context/context.ts';
import { itemsOf } from '../payments/operations/operation.ts';

/** The amount that a request moves in a currency, in minor units; undefined if the relay cannot know it. */
export type Moved = { currency: string; amount: bigint | undefined };

/**
 * The amounts that a request moves: for a batch the sums of its items by currency, for a payout both sides. A
 * cancellation moves the amount of its payment, whatever amount the request has. The amount of an unknown payment is
 * unknown, in the currency of the request. Throws StoreError.
 */
export async function movedBy(
  context: Context,
  account: string,
  name: EffectName,
  request: Message,
): Promise<readonly Moved[]> {
  const items = itemsOf({ name, request });
  switch (name) {
    case 'refund':
    case 'capture':
    case 'cancel': {
      const ids = items.map(({ transaction_id }) => String(transaction_id));
      const known = new Map(
        (await knownPayments(context, account, [...new Set(ids)])).map((payment) => [payment.transaction_id, payment]),
      );
      return summed(
        items.map((item, at) => {
          const payment = known.get(ids[at] ?? '');
          if (!payment) return { currency: String(item.currency), amount: undefined };
          if (name === 'cancel') return movedOf(payment.currency, payment.amount);
          return movedOf(item.currency, name === 'refund' ? item.refund_amount : item.amount);
        }),
      );
    }
    case 'payout': {
      const { payment_amount, payment_currency, source_amount, source_currency } = request;
      return [
        ...movedIn(payment_currency, payment_amount, source_currency),
        ...movedIn(source_currency, source_amount, payment_currency),
      ];
    }
    case 'review':
    case 'subscription_cancel':
      return [];
  }
}

/** One side of a payout. The gateway computes the amount of a side with its own currency and no amount. */
function movedIn(currency: unknown, amount: unknown, other: unknown): Moved[] {
  if (amount !== undefined) return [movedOf(currency, amount)];
  return currency === undefined || currency === other ? [] : [{ currency: String(currency), amount: undefined }];
}

const movedOf = (currency: unknown, amount: unknown): Moved => ({
  currency: String(currency),
  amount: toMinor(String(amount), String(currency)),
});

/** The sums by currency; a sum is unknown if one of its amounts is. */
function summed(parts: readonly Moved[]): Moved[] {
  return [...Map.groupBy(parts, ({ currency }) => currency)].map(([currency, own]) => ({
    currency,
    amount: own
      .map(({ amount }) => amount)
      .reduce((sum, amount) => (sum === undefined || amount === undefined ? undefined : sum + amount)),
  }));
}

/** Throws ProblemError `above_limit` if a request moves more than the person may move by one request. */
export function checkLimits(limits: Limits, name: EffectName, moved: readonly Moved[]): void {
  if (!isLimited(name)) return;
  const most = limits[name];
  if (most === undefined) return;
  for (const { currency, amount } of moved) {
    const own = most[currency];
    const what = `${nouns[name]} in ${currency}`;
    if (own === undefined) {
      const named = Object.keys(most).join(', ');
      throw aboveLimit(`Your limits allow no ${what}${named === '' ? '' : `, only in ${named}`}.`);
    }
    if (amount === undefined)
      throw aboveLimit(`The relay does not know the amount in ${currency}, so your limit cannot be applied.`);
    if (amount <= toMinor(own, currency)) continue;
    throw aboveLimit(`Your limit for a ${what} is ${own}, and this is ${fromMinor(amount, currency)}.`);
  }
}

/** Whether the amounts of an operation can be limited. */
export const isLimited = (name: EffectName): name is LimitedName => limitedNames.some((one) => one === name);

const nouns = { refund: 'refund', capture: 'capture', cancel: 'cancellation', payout: 'payout' } as const;

function aboveLimit(why: string): ProblemError {
  return new ProblemError('above_limit', `${why} Nothing was sent. Ask a person with a higher limit.`);
}
