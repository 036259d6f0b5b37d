type Texts = Readonly<Record<string, string>>;

/** Why an amount is nothing: a subscription begins with a trial, or a card is only kept. */
export type Free = 'trial' | 'keep';

const FREE_KEY = /^(free|trial|keep)_(.+)/;

/** The texts that stand in for others while there is nothing to pay, by the keys of those others. */
export function freeTexts(texts: Texts, kind: Free): Texts {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([key, text]) => {
      const [, of, replaced] = FREE_KEY.exec(key) ?? [];
      return replaced && (of === 'free' || of === kind) ? [[replaced, text]] : [];
    }),
  );
}

/** The texts of a form that has something to pay. */
export function chargedTexts(texts: Texts): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).filter(([key]) => !FREE_KEY.test(key)));
}
