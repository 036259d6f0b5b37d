/** Writes Hindi, full-width, Arabic, Persian and Thai digits as 0–9, each in its place; the low four bits of all but the first tell. */
export function latin(text: string): string {
  return text
    .replace(/[०-९]/g, (digit) => `${digit.charCodeAt(0) - 2406}`)
    .replace(/[０-９٠-٩۰-۹๐-๙]/g, (digit) => `${digit.charCodeAt(0) & 15}`);
}

/** The digits of a text, in whichever script. */
export function digitsOf(text: string): string {
  return latin(text).replace(/\D/g, '');
}
