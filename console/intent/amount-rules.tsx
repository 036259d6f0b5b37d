import type { MoneyAction } from '../api/api.ts';
import { type App, useApp } from '../app/app.tsx';
import { fill } from '../locales/words.ts';
import { compareAmounts } from '../parts/amount.ts';
import { money } from '../parts/text.tsx';

/** The rule for an amount: `fault` if it is above the person's limit, `isHeld` if another person must approve it. */
type Rules = { fault: string | undefined; isHeld: boolean; above: string };

/** The rule for an amount of an operation; no rule once it was sent. */
export function useAmountRules(
  name: MoneyAction | 'payout',
  amount: string | undefined,
  currency: string,
  isWriting: boolean,
): Rules {
  const app = useApp();
  return amount === undefined || !isWriting ? noRules : amountRules(app, name, amount, currency);
}

const noRules: Rules = { fault: undefined, isHeld: false, above: '' };

/** The rule for an amount that this person requests. */
export function amountRules(
  { me, words, locale }: Pick<App, 'me' | 'words' | 'locale'>,
  name: MoneyAction | 'payout',
  amount: string,
  currency: string,
): Rules {
  if (name === 'review') return noRules;
  const shown = (sum: string): string => money(locale, currency, sum);
  const limits = me.limits?.[name];
  const max = limits?.[currency];
  const isOver = max !== undefined && compareAmounts(amount, max) > 0;
  const fault = isOver
    ? fill(words.approvals.above_limit, { max: shown(max) })
    : limits && max === undefined && currency.length === 3
      ? fill(words.approvals.no_limit, { currency })
      : undefined;
  const above = me.confirm_above?.[currency];
  const isLarge = above !== undefined && compareAmounts(amount, above) > 0;
  const isHeld = fault === undefined && me.approval === true && isLarge;
  return { fault, isHeld, above: above === undefined ? '' : shown(above) };
}

/** Shows, before the request is sent, why an amount is refused or needs an approval. */
export function AmountRules({ rules: { fault, isHeld, above } }: { rules: Rules }) {
  const { words } = useApp();
  if (fault === undefined && !isHeld) return null;
  return (
    <p class="notice open" role="status">
      {fault ?? fill(words.approvals.needs_other, { above })}
    </p>
  );
}
