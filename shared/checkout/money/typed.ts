/** Invisible characters and blanks, and the direction marks that pages put around amounts. */
const unseen = /[\s\u00a0\u202f\u200e\u200f\u2066-\u2069]/g;

/** An amount as a person types or copies it: its number, and the text beside it, which names its currency. */
export type TypedMoney = { number: string; sign?: string };

/** The parts of an amount such as `R$ 1.299,90` or `129.90 USD`; undefined for any other text. */
export function splitMoney(typed: string): TypedMoney | undefined {
  const bare = typed.replace(unseen, '');
  const [, before = '', number, after = ''] = /^([^\d.,+-]{0,5})(\d[\d.,]*)([^\d.,+-]{0,5})$/.exec(bare) ?? [];
  const sign = before + after;
  const isSign = (before === '' || after === '') && /^(\p{L}{3}|\p{L}{0,3}\p{Sc})?$/u.test(sign);
  if (number === undefined || !isSign) return undefined;
  return { number, ...(sign === '' ? {} : { sign }) };
}

/**
 * Reads a number that is typed with this decimal sign: `1.299,90` or `1299,9` with a comma. Undefined if it is
 * ambiguous or no amount.
 */
export function readDecimal(typed: string, decimal: '.' | ','): string | undefined {
  const group = decimal === ',' ? '.' : ',';
  const bare = typed.replace(unseen, '');
  const grouped = new RegExp(`^\\d{1,3}(\\${group}\\d{3})+(\\${decimal}\\d{1,4})?$`);
  if (grouped.test(bare)) return plain(bare.replaceAll(group, '').replace(decimal, '.'));
  if (new RegExp(`^\\d{1,15}(\\${decimal}\\d{1,4})?$`).test(bare)) return plain(bare.replace(decimal, '.'));
  // The other sign, as in a copied amount. It can only be a decimal sign if no group of three digits follows.
  if (new RegExp(`^\\d{1,15}\\${group}\\d{1,2}$`).test(bare)) return plain(bare.replace(group, '.'));
  return undefined;
}

function plain(amount: string): string {
  const [whole = '', decimals = ''] = amount.split('.');
  return `${whole.replace(/^0+(?=\d)/, '')}.${decimals.padEnd(2, '0')}`;
}

/** The locales in which the console and the sandbox show amounts. */
const LOCALES = ['en', 'pt-BR'];

/**
 * Whether a sign or a code belongs to a currency (ISO 4217).
 * @param display `symbol` for signs of this currency only, such as `US$`; `narrowSymbol` for signs that several
 *   currencies share, too
 */
export function isSignOf(currency: string, sign: string, display: 'symbol' | 'narrowSymbol'): boolean {
  if (sign.toUpperCase() === currency) return true;
  const displays = display === 'symbol' ? (['symbol'] as const) : (['symbol', 'narrowSymbol'] as const);
  return LOCALES.some((locale) => displays.some((one) => signIn(locale, currency, one) === sign));
}

function signIn(locale: string, currency: string, currencyDisplay: 'symbol' | 'narrowSymbol'): string | undefined {
  try {
    const format = new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay });
    return format.formatToParts(0).find(({ type }) => type === 'currency')?.value;
  } catch (error) {
    // The gateway's currency code may be invalid.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
