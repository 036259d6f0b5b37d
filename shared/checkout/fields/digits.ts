/** Writes full-width, Arabic and Persian digits as 0–9, each in its place; their low four bits are their value. */
export function latin(text: string): string {
  return text.replace(/[０-９٠-٩۰-۹]/g, (digit) => `${digit.charCodeAt(0) & 15}`);
}

/** The digits of a text, in whichever script. */
export function digitsOf(text: string): string {
  return latin(text).replace(/\D/g, '');
}
