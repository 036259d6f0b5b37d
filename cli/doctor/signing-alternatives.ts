import type { ConcatScheme, Signing } from '../../relay/gateway/signing/signing-setting.ts';

/** What a query that names orders is made of, in the order of the gateway's own table. */
const QUERY_FIELDS = ['merchant_id', 'account_id', 'orders'];

/** Other ways to sign a query than the file's, the most probable first, each once. */
export function signingAlternatives(file: Signing): Signing[] {
  const all = file.scheme === 'concat' ? [...changesOf(file), canonical] : [...others(file), ...usualSchemes];
  const known = new Set([keyOf(file)]);
  return all.filter((scheme) => {
    const key = keyOf(scheme);
    if (known.has(key)) return false;
    known.add(key);
    return true;
  });
}

const canonical: Signing = { scheme: 'canonical' };

function others(file: Signing): Signing[] {
  return file.scheme === 'canonical' ? [] : [canonical];
}

const base: ConcatScheme = {
  scheme: 'concat',
  // The samples of the interface have 64 hex digits.
  algorithm: 'sha256',
  fields: { query: QUERY_FIELDS },
  answer_fields: {},
  separator: '',
  secret: 'append',
  output: 'hex',
};

const hmac = { algorithm: 'hmac-sha256', secret: 'key' } as const;

const usualSchemes: ConcatScheme[] = [
  base,
  { ...base, ...hmac },
  { ...base, separator: '|' },
  { ...base, separator: '&' },
  { ...base, ...hmac, separator: '|' },
  { ...base, ...hmac, separator: '&' },
  { ...base, secret: 'prepend' },
  { ...base, fields: { query: [...QUERY_FIELDS].sort() } },
  { ...base, algorithm: 'md5' },
];

/** A scheme with one part changed at a time. */
function changesOf(file: ConcatScheme): ConcatScheme[] {
  const fields = file.fields.query ?? QUERY_FIELDS;
  const inOrder = (query: string[]): ConcatScheme => ({ ...file, fields: { ...file.fields, query } });
  const [first, second, ...further] = ['', '|', '&', ',', ';']
    .filter((separator) => separator !== file.separator)
    .map((separator) => ({ ...file, separator }));
  return [
    ...(first ? [first] : []),
    ...(second ? [second] : []),
    inOrder(inTableOrder(fields)),
    inOrder([...fields].sort()),
    otherPlace(file),
    { ...file, output: file.output === 'hex' ? 'HEX' : 'hex' },
    ...further.slice(0, 1),
    otherKind(file),
    ...further.slice(1),
  ];
}

function inTableOrder(fields: readonly string[]): string[] {
  const place = (name: string): number => {
    const at = QUERY_FIELDS.indexOf(name);
    return at === -1 ? QUERY_FIELDS.length : at;
  };
  return [...fields].sort((one, other) => place(one) - place(other));
}

/** The secret at the other end; as an HMAC's key where it has been one, it is a part in front. */
function otherPlace(file: ConcatScheme): ConcatScheme {
  if (file.secret === 'key') return { ...withoutKey(file), secret: 'prepend' };
  return { ...file, secret: file.secret === 'append' ? 'prepend' : 'append' };
}

/** A plain hash in place of an HMAC, and the other way round. */
function otherKind(file: ConcatScheme): ConcatScheme {
  return file.secret === 'key' ? withoutKey(file) : { ...file, ...hmac };
}

function withoutKey(file: ConcatScheme): ConcatScheme {
  return { ...file, algorithm: 'sha256', secret: 'append' };
}

function keyOf(scheme: Signing): string {
  if (scheme.scheme !== 'concat') return scheme.scheme;
  const { algorithm, fields, separator, secret, output } = scheme;
  return JSON.stringify([algorithm, fields.query, separator, secret, output]);
}
