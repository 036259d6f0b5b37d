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
  if (decimals <= shown) return usual.format(amount);
  return new Intl.NumberFormat(locale, { ...style, minimumFractionDigits: Math.max(2, decimals) }).format(amount);
}

function isNumeric(text: string): text is `${number}` {
  return /^\d+(\.\d+)?$/.test(text);
}
