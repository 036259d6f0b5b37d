import { type ConcatForm, concatText, digestOf, fieldText } from '../../../relay/gateway/signing/concat.ts';
import { type ConcatScheme, concatParts, type Signing } from '../../../relay/gateway/signing/signing-setting.ts';
import { canonicalMessage, type Message, signText } from '../../../shared/gateway/signature.ts';
import { byUse, permutations, type Subject, usualOrders } from './field-orders.ts';
import { type Hashing, hashingsOf, readSignature, type Signature, separators, usualSeparators } from './forms.ts';

/** A message, and its signature. */
export type Sample = Subject & { signature: string };

/** A profile's signing that makes the signature, and the secret that it uses. */
export type Fit = { signing: Signing; secret: string };

/** A part of the search, and its progress. */
export type Stage = { name: string; done: 'whole' | 'part' | 'none' };

export type Solved = {
  /** The most usual first. If there are several, this message cannot distinguish them. */
  fits: readonly Fit[];
  /** The number of computed signatures. */
  tried: number;
  stages: readonly Stage[];
};

/** The maximum time of the search, by a clock in milliseconds. */
export type Limit = { budgetMs: number; now: () => number };

/** The maximum number of fields for which all permutations are tried. */
export const MAX_PERMUTED = 7;

/** The maximum number of fits to show. */
const MAX_FITS = 10;

type Plan = {
  name: string;
  orders: Iterable<readonly string[]>;
  separators: readonly string[];
  secrets: readonly string[];
};

/**
 * Finds how a message was signed by computing its signature in every way that a profile can express, the most usual
 * ways first. Pure: it reads only the limit's clock, and sends nothing.
 * @param secrets the possible forms of the secret, most probable first
 */
export function solve(sample: Sample, secrets: readonly string[], limit: Limit): Solved {
  const signature = readSignature(sample.signature);
  const text = canonicalText(sample.message);
  if (!signature || text === undefined) return { fits: [], tried: 0, stages: [] };
  const canonical = secrets.find((secret) => signText(text, secret) === signature.hex);
  if (canonical !== undefined) {
    const fits: Fit[] = [{ signing: { scheme: 'canonical' }, secret: canonical }];
    return { fits, tried: 1, stages: [{ name: CANONICAL, done: 'whole' }] };
  }
  const search = createSearch(sample, signature, limit);
  const stages: Stage[] = [{ name: CANONICAL, done: 'whole' }];
  for (const plan of plansOf(sample, secrets)) {
    stages.push({ name: plan.name, done: search.fits.length > 0 ? 'none' : search.run(plan) });
  }
  return { fits: search.fits, tried: search.tried() + secrets.length, stages };
}

/** A message as canonical JSON; undefined for a message with half of a surrogate pair, which no profile can sign. */
export function canonicalText(message: Message): string | undefined {
  try {
    return canonicalMessage(message);
  } catch {
    return undefined;
  }
}

const CANONICAL = 'canonical JSON';

function plansOf(sample: Sample, secrets: readonly string[]): Plan[] {
  const fields = byUse(sample);
  const few = fields.slice(0, MAX_PERMUTED);
  const sizes = few.map((_, at) => at + 1);
  const isFew = fields.length <= MAX_PERMUTED;
  const first = secrets.slice(0, 1);
  const everyOrder = {
    name: isFew ? 'every order of its fields' : `every order of ${few.join(', ')}`,
    orders: { [Symbol.iterator]: () => chained(sizes.map((size) => permutations(few, size))) },
  };
  const others = { ...everyOrder, name: `${everyOrder.name}, with other forms of the secret` };
  return [
    { name: 'usual orders of fields', orders: usualOrders(sample), separators, secrets },
    { ...everyOrder, separators, secrets: first },
    ...(secrets.length > 1 ? [{ ...others, separators: usualSeparators, secrets: secrets.slice(1) }] : []),
    ...(isFew ? [] : sizes).map((size) => ({
      name: `every order of any ${size} of its ${fields.length} fields`,
      orders: permutations(fields, size),
      separators: usualSeparators,
      secrets: first,
    })),
  ];
}

function* chained<Item>(parts: readonly Iterable<Item>[]): Generator<Item> {
  for (const part of parts) yield* part;
}

/** The matching text, and the hash: every signing that gives the same text matches, too. */
type Found = { text: string; place: Hashing['secret']; hashing: Hashing; secret: string };

function createSearch(sample: Sample, signature: Signature, { budgetMs, now }: Limit) {
  const { message, operation, direction } = sample;
  const texts = new Map<string, string>();
  const textOf = (field: string): string => {
    const known = texts.get(field);
    if (known !== undefined) return known;
    const text = fieldText(message, field);
    texts.set(field, text);
    return text;
  };
  const ways = hashingsOf(signature);
  const places = [...new Set(ways.map(({ secret }) => secret))];
  const end = now() + budgetMs;
  const fits: Fit[] = [];
  const known = new Set<string>();
  let tried = 0;
  let found: Found | undefined;

  const tryText = (text: string, place: Hashing['secret'], secret: string): Hashing | undefined => {
    if (found)
      return found.text === text && found.place === place && found.secret === secret ? found.hashing : undefined;
    for (const hashing of ways) {
      if (hashing.secret !== place) continue;
      tried += 1;
      if (digestOf(hashing.algorithm, text, secret) !== signature.hex) continue;
      found = { text, place, hashing, secret };
      return hashing;
    }
    return undefined;
  };

  const keep = (fields: readonly string[], form: ConcatForm, secret: string): void => {
    // Some forms do not show empty fields, so lists of fields that differ only in them are equal.
    const key = JSON.stringify([fields.filter((field) => textOf(field) !== ''), form.separator]);
    if (known.has(key) || fits.length === MAX_FITS) return;
    known.add(key);
    const named = { [operation]: [...fields] };
    const own = direction === 'request' ? { fields: named, answer_fields: {} } : { fields: {}, answer_fields: named };
    fits.push({ signing: { scheme: 'concat', ...form, ...own } satisfies ConcatScheme, secret });
  };

  const tryOrder = (fields: readonly string[], plan: Plan, secret: string): void => {
    const values = fields.map(textOf);
    const filled = values.filter((text) => text !== '').length;
    const empties = filled < values.length ? concatParts.empties : concatParts.empties.slice(0, 1);
    for (const place of places) {
      for (const separator of plan.separators) {
        for (const empty of empties) {
          if (empty === 'omit' && separator === '') continue;
          const hashing = tryText(concatText(values, { separator, secret: place, empty }, secret), place, secret);
          if (!hashing) continue;
          const output = signature.output ?? 'hex';
          keep(fields, { ...hashing, separator, output, ...(empty === 'omit' ? { empty } : {}) }, secret);
        }
        // A single part needs no separator.
        if (place === 'key' && values.length === 1) break;
      }
    }
  };

  const run = (plan: Plan): Stage['done'] => {
    if (now() >= end) return 'none';
    for (const fields of plan.orders) {
      if (now() >= end) return 'part';
      for (const secret of plan.secrets) tryOrder(fields, plan, secret);
    }
    return 'whole';
  };

  return { fits, run, tried: () => tried };
}
