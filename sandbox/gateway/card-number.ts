/** True for 12 to 19 digits whose last one is the Luhn check digit. */
export function passesLuhn(number: string): boolean {
  if (!/^\d{12,19}$/.test(number)) return false;
  let sum = 0;
  for (let at = 0; at < number.length; at += 1) {
    const digit = Number(number[number.length - 1 - at]);
    const doubled = at % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** First six and last four of a card number, the rest asterisks; of anything else nothing is shown. */
export function maskCard(card: string): string {
  if (!/^\d{12,19}$/.test(card)) return '******';
  return `${card.slice(0, 6)}${'*'.repeat(card.length - 10)}${card.slice(-4)}`;
}
