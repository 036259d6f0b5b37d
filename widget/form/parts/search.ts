/** Letters that are not a letter and a mark, but are typed as if they were. */
const PLAIN: Readonly<Record<string, string>> = { ı: 'i', ł: 'l', ø: 'o', đ: 'd', ß: 'ss', æ: 'ae', œ: 'oe' };

/** A text as it is compared: without case, accents and signs, and with single spaces. */
export function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ıłøđßæœ]/g, (letter) => PLAIN[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Whether a text holds every word of what was typed, wherever in it: `itau` finds Itaú, `brasil ban` finds Banco do Brasil. */
export function finds(typed: string, text: string): boolean {
  const searched = plain(text);
  return plain(typed)
    .split(' ')
    .every((word) => searched.includes(word));
}
