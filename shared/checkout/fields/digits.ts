/**
 * Replaces full-width, Arabic, Persian, Thai and Hindi digits by 0–9. The low four bits of the character code are the
 * digit; for Hindi, minus 6.
 */
export function latin(text: string): string {
  // Nearly every text is ASCII.
  if (!/[^ -~]/.test(text)) return text;
  return text.replace(/[०-९０-９٠-٩۰-۹๐-๙]/g, (digit) => {
    const code = digit.charCodeAt(0);
    return `${(code >> 8 === 9 ? code - 6 : code) & 15}`;
  });
}

/** The digits of a text in any script, as 0–9. */
export function digitsOf(text: string): string {
  return latin(text).replace(/\D/g, '');
}
