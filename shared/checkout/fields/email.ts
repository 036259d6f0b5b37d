const MAX_LENGTH = 254;

/** Providers whose names are typed so often that a slip of the finger is likelier than another domain. */
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
/** Providers whose names are one letter away from those. */
const OTHERS = ['email.com', 'mail.com', 'ymail.com'];

/** Ends of domains that there are not, and that mean `.com`, with a country after it or not. */
const NO_COM = /\.(?:cmo|comm|con|cpm|ocm|vom|xom)(?=(?:\.[a-z]{2})?$)/;

/**
 * Whether a text can be an e-mail address: one `@`, before it dots between other characters alone, no spaces and no signs
 * that set addresses apart, and after it a domain with a dot. The standards allow more, which no real address has.
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
 * An address alone, without what was copied with it (`mailto:`, `Ada <ada@example.com>`) and its invisible characters, with its
 * domain in small letters; what stands before it may tell them from capitals.
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

/** An e-mail address with a slip of the finger in its domain put right (`ada@gmial.con`); undefined if nothing looks wrong. */
export function emailSuggestion(value: string): string | undefined {
  const [name = '', typed = '', ...more] = value.trim().split('@');
  const domain = typed.toLowerCase();
  if (!name || more.length > 0 || PROVIDERS.includes(domain) || OTHERS.includes(domain)) return undefined;
  const ended = domain.replace(NO_COM, '.com');
  const meant = PROVIDERS.find((provider) => provider === ended || isOneSlipFrom(ended, provider)) ?? ended;
  return meant === domain ? undefined : `${name}@${meant}`;
}

/** Whether two texts differ by one missing, extra or wrong letter, or by two swapped letters. */
function isOneSlipFrom(typed: string, meant: string): boolean {
  const shorter = Math.min(typed.length, meant.length);
  let start = 0;
  while (start < shorter && typed[start] === meant[start]) start += 1;
  let end = 0;
  while (end < shorter - start && typed.at(-1 - end) === meant.at(-1 - end)) end += 1;
  const [is, should] = [typed.slice(start, typed.length - end), meant.slice(start, meant.length - end)];
  return (is.length < 2 && should.length < 2) || (is.length === 2 && is === should.split('').reverse().join(''));
}

/** `a•••@example.com`: enough to know the shopper by who asks for them. */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return at < 1 ? '•••' : `${[...email][0] ?? ''}•••${email.slice(at)}`;
}
