/** Letters without a decomposition that people type as plain letters. */
const PLAIN: Readonly<Record<string, string>> = { ı: 'i', ł: 'l', ø: 'o', đ: 'd', ß: 'ss', æ: 'ae', œ: 'oe' };

/** A text for comparisons: without case, accents and signs, and with single spaces. */
export function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ıłøđßæœ]/g, (letter) => PLAIN[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Whether a text contains every typed word, anywhere: `itau` matches Itaú, `brasil ban` matches Banco do Brasil. */
export function finds(typed: string, text: string): boolean {
  const searched = plain(text);
  return plain(typed)
    .split(' ')
    .every((word) => searched.includes(word));
}
