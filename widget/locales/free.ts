import type { FreeTexts } from '../../shared/checkout/view.ts';

type Texts = Readonly<Record<string, string>>;

const FREE_KEY = /^(free|trial|keep|confirm)_(.+)/;

/**
 * The texts that replace others while the amount is zero, by the keys of those others: `free_…` always, `trial_…` if a
 * subscription begins, `keep_…` if a card is saved, and `confirm_…` if a saved card is confirmed.
 */
export function freeTexts(texts: Texts, isTrial: boolean): FreeTexts {
  const textsOf = (prefix: string): Texts =>
    Object.fromEntries(
      Object.entries(texts).flatMap(([key, text]) => {
        const [, found, replaced] = FREE_KEY.exec(key) ?? [];
        return replaced && found === prefix ? [[replaced, text]] : [];
      }),
    );
  const typed = { ...textsOf('free'), ...textsOf(isTrial ? 'trial' : 'keep') };
  return { typed, saved: isTrial ? typed : { ...typed, ...textsOf('confirm') } };
}

/** The keys of the texts that only pages without the form's script show. */
const WITHOUT_SCRIPT = /^(noscript|not_paid_t|unreachable_|link_expired_)/;

/** The keys of the texts that only forms with installments or a subscription show. */
const OF_PLANS = /^(installments|terms)/;

/** The texts that the form's script may need, unless the amount is zero; `hasPlans`: it has installments or a subscription. */
export function scriptTexts(texts: Texts, hasPlans: boolean): Record<string, string> {
  const others = [FREE_KEY, WITHOUT_SCRIPT, ...(hasPlans ? [] : [OF_PLANS])];
  return Object.fromEntries(Object.entries(texts).filter(([key]) => !others.some((pattern) => pattern.test(key))));
}
