import type { FreeTexts } from '../../shared/checkout/view.ts';

type Texts = Readonly<Record<string, string>>;

const FREE_KEY = /^(free|trial|keep|confirm)_(.+)/;

/**
 * The texts that stand in for others while there is nothing to pay, by the keys of those others: always; if a
 * subscription begins with a trial; if a card is kept; and if a kept card is confirmed.
 */
export function freeTexts(texts: Texts, isTrial: boolean): FreeTexts {
  const textsOf = (kind: string): Texts =>
    Object.fromEntries(
      Object.entries(texts).flatMap(([key, text]) => {
        const [, of, replaced] = FREE_KEY.exec(key) ?? [];
        return replaced && of === kind ? [[replaced, text]] : [];
      }),
    );
  const typed = { ...textsOf('free'), ...textsOf(isTrial ? 'trial' : 'keep') };
  return { typed, saved: isTrial ? typed : { ...typed, ...textsOf('confirm') } };
}

/** What only pages without the form's script say. */
const WITHOUT_SCRIPT = /^(noscript|not_paid_t|unreachable_|link_expired_)/;

/** What only forms with installments or a contract say. */
const OF_PLANS = /^(installments|terms)/;

/** The texts that the script of a form may show that has something to pay; `hasPlans`: by installments or a contract. */
export function scriptTexts(texts: Texts, hasPlans: boolean): Record<string, string> {
  const others = [FREE_KEY, WITHOUT_SCRIPT, ...(hasPlans ? [] : [OF_PLANS])];
  return Object.fromEntries(Object.entries(texts).filter(([key]) => !others.some((pattern) => pattern.test(key))));
}
