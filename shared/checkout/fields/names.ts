/** Splits a card holder's name before its last word. A single word is used for both fields. */
export function splitName(name: string): { first_name: string; last_name: string } {
  const words = name.trim().split(/\s+/u);
  const last = words.at(-1) ?? '';
  return { first_name: words.slice(0, -1).join(' ') || last, last_name: last };
}
