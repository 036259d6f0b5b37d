/** Writes full-width, Arabic, Persian, Thai and Hindi digits as 0–9, each in its place: the low four bits tell, less 6 in Hindi. */
export function latin(text: string): string {
  // Nearly every text is ASCII.
  if (!/[^ -~]/.test(text)) return text;
  return text.replace(/[०-९０-９٠-٩۰-۹๐-๙]/g, (digit) => {
    const code = digit.charCodeAt(0);
    return `${(code >> 8 === 9 ? code - 6 : code) & 15}`;
  });
}

/** The digits of a text, in whichever script. */
export function digitsOf(text: string): string {
  return latin(text).replace(/\D/g, '');
}
