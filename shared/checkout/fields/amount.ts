/**
 * An amount of money as a decimal number (`2500.50`), however its thousands and decimals are set apart; undefined for none, and
 * where one cannot know what is meant: `2.500` is a thousand times as much in one country as in another.
 */
export function decimalOf(text: string): string | undefined {
  const plain = text.replace(/[\s'’]/g, '');
  const [, whole = plain, mark = '', decimals = ''] = /^(.*)([.,])(\d\d?)$/.exec(plain) ?? [];
  const groups = /^\d{1,3}(?:([.,])\d{2,3})(?:\1\d{2,3})*$/.exec(whole);
  const isCertain = groups
    ? groups[1] !== mark && (mark !== '' || whole.split(/[.,]/).length > 2)
    : /^\d+$/.test(whole);
  if (!isCertain) return undefined;
  const digits = whole.replace(/\D/g, '');
  return digits.length > 15 ? undefined : [digits, decimals].filter(Boolean).join('.');
}
