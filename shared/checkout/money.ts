/**
 * Shows an amount in the shopper's locale with the currency's own decimals. `amount` is a decimal string. More decimals are
 * shown when they carry value: what is charged is what is shown.
 */
export function formatMoney(locale: string, currency: string, amount: string): string {
  if (!isNumeric(amount)) return `${amount} ${currency}`;
  const style = { style: 'currency', currency } as const;
  const usual = new Intl.NumberFormat(locale, style);
  const decimals = (amount.split('.')[1] ?? '').replace(/0+$/, '').length;
  const shown = usual.resolvedOptions().maximumFractionDigits ?? 2;
  if (decimals <= shown) return written(usual, amount);
  return written(new Intl.NumberFormat(locale, { ...style, minimumFractionDigits: Math.max(2, decimals) }), amount);
}

/** Where texts are read from right to left the currency stands between the marks of an isolate, or its `R$` would become `$R`. */
function written(format: Intl.NumberFormat, amount: `${number}`): string {
  const text = format.format(amount);
  if (!text.includes('\u200f')) return text;
  const parts = format.formatToParts(amount);
  return parts.map(({ type, value }) => (type === 'currency' ? `\u2068${value}\u2069` : value)).join('');
}

function isNumeric(text: string): text is `${number}` {
  return /^\d+(\.\d+)?$/.test(text);
}
