import { maskText } from '../../../shared/card-data/mask.ts';
import { cardNumberIn } from '../../../shared/card-data/typed.ts';
import { readDecimal, splitMoney } from '../../../shared/checkout/money/typed.ts';

/** A meaning of a searched text. A `sign` is the currency beside an amount: `R$`, `USD`. */
export type TextMeaning =
  | { as: 'order_no' | 'transaction_id' | 'recurring_id' | 'session_id' | 'operation_id'; value: string }
  | { as: 'email' | 'last4'; value: string }
  | { as: 'amount'; value: string; sign?: string };

/** The last four digits of a card that is masked, as `411111******1111` or `•••• 1111`. */
const masked = /^[\d\s]*[*•]+\s*(\d{4})$/;

/**
 * The meanings of a text. A whole card number is replaced by its last four digits. An amount with two meanings has both.
 */
export function meaningsOf(text: string): TextMeaning[] {
  const typed = text.trim();
  const last4 = masked.exec(typed)?.[1] ?? lastOfCard(typed);
  if (last4 !== undefined) return [{ as: 'last4', value: last4 }];
  // The client secret of a session begins with the session's id.
  const [, session] = /^(cs_[\w-]{20,})(?:\..*)?$/.exec(typed) ?? [];
  if (session !== undefined) return [{ as: 'session_id', value: session }];
  if (/^op_[\w-]{20,}$/.test(typed)) return [{ as: 'operation_id', value: typed }];
  if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(typed)) return [{ as: 'email', value: typed }];
  const ids = (['order_no', 'transaction_id', 'recurring_id'] as const).map((as) => ({ as, value: typed }));
  return [...ids, ...(/^\d{4}$/.test(typed) ? [{ as: 'last4' as const, value: typed }] : []), ...amountsIn(typed)];
}

/**
 * The last four digits of a card number in a text, alone or among words. The number of an order may look like a card
 * number, but contains no blanks.
 */
function lastOfCard(text: string): string | undefined {
  const card = cardNumberIn(text);
  if (card !== undefined || !/\s/.test(text)) return card?.slice(-4);
  const without = maskText(text);
  return without === text ? undefined : /\d\*+(\d{4})/.exec(without)?.[1];
}

function amountsIn(text: string): TextMeaning[] {
  const money = splitMoney(text);
  if (!money) return [];
  const { number, sign } = money;
  const values = new Set([readDecimal(number, '.'), readDecimal(number, ',')]);
  return [...values].flatMap((value) =>
    value === undefined ? [] : { as: 'amount' as const, value, ...(sign === undefined ? {} : { sign }) },
  );
}
