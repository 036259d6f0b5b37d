/** What does not show, or only keeps parts together: blanks, and the marks of directions that pages put around amounts. */
const unseen = /[\s\u00a0\u202f\u200e\u200f\u2066-\u2069]/g;

/** An amount as a person types or copies it: its number, and what stands beside it, which names its currency. */
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
 * Reads a number as it is typed with this decimal sign: `1.299,90` or `1299,9` with a comma. Undefined if it could mean two amounts, or
 * none.
 */
export function readDecimal(typed: string, decimal: '.' | ','): string | undefined {
  const group = decimal === ',' ? '.' : ',';
  const bare = typed.replace(unseen, '');
  const grouped = new RegExp(`^\\d{1,3}(\\${group}\\d{3})+(\\${decimal}\\d{1,4})?$`);
  if (grouped.test(bare)) return plain(bare.replaceAll(group, '').replace(decimal, '.'));
  if (new RegExp(`^\\d{1,15}(\\${decimal}\\d{1,4})?$`).test(bare)) return plain(bare.replace(decimal, '.'));
  // The other sign, as in an amount that was copied: it can only be decimals if it is no group of three.
  if (new RegExp(`^\\d{1,15}\\${group}\\d{1,2}$`).test(bare)) return plain(bare.replace(group, '.'));
  return undefined;
}

function plain(amount: string): string {
  const [whole = '', decimals = ''] = amount.split('.');
  return `${whole.replace(/^0+(?=\d)/, '')}.${decimals.padEnd(2, '0')}`;
}

/** The locales that the console and the sandbox show amounts in. */
const LOCALES = ['en', 'pt-BR'];

/**
 * Whether a sign or a code names a currency (ISO 4217).
 * @param display `symbol` for signs of this currency alone, such as `US$`; `narrowSymbol` for those that several have, too
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
