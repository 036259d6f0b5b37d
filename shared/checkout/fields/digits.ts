/** Writes full-width, Arabic, Persian, Thai and Hindi digits as 0–9, each in its place: their low four bits tell, but Hindi ones begin at six. */
export function latin(text: string): string {
  return text.replace(
    /[０-９٠-٩۰-۹๐-๙०-९]/g,
    (digit) => `${(digit.charCodeAt(0) - (/[०-९]/.test(digit) ? 6 : 0)) & 15}`,
  );
}

/** The digits of a text, in whichever script. */
export function digitsOf(text: string): string {
  return latin(text).replace(/\D/g, '');
}
