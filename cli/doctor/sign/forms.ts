import { type ConcatForm, digestOf, written } from '../../../relay/gateway/signing/concat.ts';
import { concatParts } from '../../../relay/gateway/signing/signing-setting.ts';

/** Separators of signed parts that gateways use, the most usual first. */
export const usualSeparators: readonly string[] = ['', '|', '&', ',', ';', ':', '-', '_', '#', '+', '.', '~'];

/** All separators to try: these, every other ASCII sign, and some others that gateways use. */
export const separators: readonly string[] = [
  ...new Set([...usualSeparators, ...` !"$%'()*/<=>?@[\\]^\`{}\t\n`, '||', '&&', '::', '--', '\r\n', '#,#', '#;#']),
];

/** An algorithm, and the place of its secret. */
export type Hashing = Pick<ConcatForm, 'algorithm' | 'secret'>;

/** The cost of a value of each part: the higher, the less usual, by the known gateways. Unlisted values cost most. */
const unusual: Readonly<Record<string, number>> = {
  ...{ sha256: 0, md5: 2.5, sha1: 3, sha512: 3.5, sha384: 5 },
  ...{ append: 0, key: 0.5, prepend: 1.5 },
  ...{ hex: 0, HEX: 2, base64: 2.6 },
};

/** The rank of a value of one part: 0 for the most usual one. */
export function rankOf(part: 'hash' | 'secret' | 'output' | 'separator', value: string): number {
  if (part !== 'separator') return unusual[value] ?? 9;
  const place = separators.indexOf(value);
  return place === -1 ? separators.length : place;
}

/** The hash of an algorithm: `hmac-md5` and `md5` have the same. */
export function hashIn(algorithm: ConcatForm['algorithm']): string {
  return algorithm.replace('hmac-', '');
}

/** Every algorithm with every possible place of the secret, the most usual first. */
export const hashings: readonly Hashing[] = concatParts.hashing.toSorted((one, other) => rank(one) - rank(other));

function rank({ algorithm, secret }: Hashing): number {
  return rankOf('hash', hashIn(algorithm)) + rankOf('secret', secret);
}

/**
 * A signature as a gateway wrote it: its bytes in hex, and the `output` of the profile that writes this form, if there
 * is one.
 */
export type Signature = { hex: string; output: ConcatForm['output'] | undefined };

/** Reads a signature; undefined for a text that is no hash. Mixed-case hex and base64url have no `output`. */
export function readSignature(text: string): Signature | undefined {
  const hex = /^[\da-f]+$/i.test(text) ? text.toLowerCase() : base64Hex(text);
  if (hex === undefined || !digestLengths.has(hex.length)) return undefined;
  return { hex, output: concatParts.outputs.find((output) => written(hex, output) === text) };
}

function base64Hex(text: string): string | undefined {
  return /^[\w+/-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64').toString('hex') : undefined;
}

const lengths = new Map(hashings.map(({ algorithm }) => [algorithm, digestOf(algorithm, '', '').length]));
const digestLengths = new Set(lengths.values());

/** The algorithms, with the places of their secrets, whose hashes have this length. */
export function hashingsOf({ hex }: Signature): readonly Hashing[] {
  return hashings.filter(({ algorithm }) => lengths.get(algorithm) === hex.length);
}
