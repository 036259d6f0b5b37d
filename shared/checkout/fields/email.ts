const MAX_LENGTH = 254;

/** Providers with so many users that a domain one letter away is a typing mistake rather than another domain. */
const PROVIDERS = [
  'gmail.com',
  'googlemail.com',
  'hotmail.com',
  'icloud.com',
  'outlook.com',
  'outlook.com.br',
  'protonmail.com',
  'yahoo.co.jp',
  'yahoo.co.uk',
  'yahoo.com',
  'yahoo.com.br',
  'yahoo.com.mx',
];
/** Real providers one letter away from those. */
const OTHERS = ['email.com', 'mail.com', 'ymail.com'];

/** Ends of domains that do not exist and mean `.com`, with or without a country after them. */
const NO_COM = /\.(?:cmo|comm|con|cpm|ocm|vom|xom)(?=(?:\.[a-z]{2})?$)/;

/**
 * Whether a text can be an e-mail address: one `@`, before it dots only between other characters, no spaces and no
 * signs that separate addresses, and after it a domain with a dot. The standards permit more than real addresses use.
 */
export function isEmail(text: string): boolean {
  return (
    text.length <= MAX_LENGTH &&
    /^(?=[^@]{1,64}@)[^\s\p{Cc}@.,;:<>()[\]\\"]+(?:\.[^\s\p{Cc}@.,;:<>()[\]\\"]+)*@(?:[\p{L}\p{M}\d](?:[\p{L}\p{M}\d-]*[\p{L}\p{M}\d])?\.)+[\p{L}\p{M}][\p{L}\p{M}\d-]*[\p{L}\p{M}\d]$/u.test(
      text,
    )
  );
}

/**
 * The address itself, without copied surroundings (`mailto:`, `Ada <ada@example.com>`) and invisible characters, with
 * its domain in lower case. The part before the `@` may be case-sensitive.
 */
export function writeEmail(text: string): string {
  const seen = text
    .replace(/\p{Cf}/gu, '')
    .normalize('NFKC')
    .trim();
  const address = seen
    .replace(/^[^<>]*<([^<>]*)>$/, '$1')
    .replace(/^\s*(?:mailto:\s*)+([^?]*).*$/is, '$1')
    .trim();
  const at = address.lastIndexOf('@');
  return at < 0 ? address : address.slice(0, at) + address.slice(at).replaceAll('。', '.').toLowerCase();
}

/** An e-mail address with a corrected typing mistake in its domain (`ada@gmial.con`); undefined if there is none. */
export function emailSuggestion(value: string): string | undefined {
  const [name = '', typed = '', ...more] = value.trim().split('@');
  const domain = typed.toLowerCase();
  if (!name || more.length > 0 || PROVIDERS.includes(domain) || OTHERS.includes(domain)) return undefined;
  const ended = domain.replace(NO_COM, '.com');
  const meant = PROVIDERS.find((provider) => provider === ended || isOneSlipFrom(ended, provider)) ?? ended;
  return meant === domain ? undefined : `${name}@${meant}`;
}

/** Whether two texts differ by one missing, additional or wrong letter, or by two swapped letters. */
function isOneSlipFrom(typed: string, meant: string): boolean {
  const shorter = Math.min(typed.length, meant.length);
  let start = 0;
  while (start < shorter && typed[start] === meant[start]) start += 1;
  let end = 0;
  while (end < shorter - start && typed.at(-1 - end) === meant.at(-1 - end)) end += 1;
  const [is, should] = [typed.slice(start, typed.length - end), meant.slice(start, meant.length - end)];
  return (is.length < 2 && should.length < 2) || (is.length === 2 && is === should.split('').reverse().join(''));
}

/** `a•••@example.com`: enough to recognise an address that is already known. */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return at < 1 ? '•••' : `${[...email][0] ?? ''}•••${email.slice(at)}`;
}
