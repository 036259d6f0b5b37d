import { remembered } from '../remembered.ts';

/**
 * Formats an amount in the shopper's locale with the decimals of its currency. `amount` is a decimal string. Further
 * decimals are shown if they are not zero, so that the shown amount is the charged one.
 */
export function formatMoney(locale: string, currency: string, amount: string): string {
  if (!isNumeric(amount)) return `${amount} ${currency}`;
  const usual = currencyFormat(`${locale} ${currency}`);
  const [, decimals = ''] = amount.split('.');
  if (decimals.replace(/0+$/, '').length <= usual.digits) return written(usual.format, amount);
  return written(currencyFormat(`${locale} ${currency} ${Math.max(2, decimals.length)}`).format, amount);
}

/** The number of decimals of a currency (ISO 4217). */
export function currencyDigits(currency: string): number {
  return currencyFormat(`en ${currency}`).digits;
}

/** The format of a locale and a currency, with at least this many decimals if a number is given. */
const currencyFormat = remembered((asked: string) => {
  const [locale, currency, minimumFractionDigits] = asked.split(' ');
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    ...(minimumFractionDigits && { minimumFractionDigits: Number(minimumFractionDigits) }),
  });
  return { format, digits: format.resolvedOptions().maximumFractionDigits ?? 2 };
});

/**
 * In texts from right to left the currency is inside the marks of an isolate, because its `R$` would become `$R`
 * otherwise.
 */
function written(format: Intl.NumberFormat, amount: `${number}`): string {
  const text = format.format(amount);
  if (!text.includes('\u200f')) return text;
  const parts = format.formatToParts(amount);
  return parts.map(({ type, value }) => (type === 'currency' ? `\u2068${value}\u2069` : value)).join('');
}

function isNumeric(text: string): text is `${number}` {
  return /^-?\d+(\.\d+)?$/.test(text);
}
