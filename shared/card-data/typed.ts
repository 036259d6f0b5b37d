import { passesLuhn } from './luhn.ts';

/** The card number in a text, alone or among other words; undefined where there is none. */
export function cardNumberAmong(text: string): string | undefined {
  for (const [run] of text.matchAll(/\d(?:[\s.-]{0,3}\d){12,}/g)) {
    const digits = run.replace(/\D/g, '');
    // More digits may follow, such as its month.
    const lengths = [19, 18, 17, 16, 15, 14, 13].filter((length) => length <= digits.length);
    const found = lengths.map((length) => cardNumberIn(digits.slice(0, length))).find((one) => one !== undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A whole card number as a person types or pastes it; undefined for anything else. What it is written with is left out. */
export function cardNumberIn(text: string): string | undefined {
  const digits = text.replace(/[\s-]/g, '');
  const isLikeOne = /^(4\d{12,18}|2[2-7]\d{14}|3\d{13,18}|[56]\d{14,18})$/.test(digits);
  return isLikeOne && passesLuhn(digits) ? digits : undefined;
}
