/** Writes a decimal string as an amount of its currency for people, such as `R$ 129,90` for pt-BR. */
export function formatMoney(locale: string, currency: string, amount: string): string {
  if (!isDecimal(amount)) return `${currency} ${amount}`;
  return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(amount);
}

function isDecimal(value: string): value is `${number}` {
  return /^\d+(\.\d+)?$/.test(value);
}
