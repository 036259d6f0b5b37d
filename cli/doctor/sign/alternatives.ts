import { type ConcatScheme, concatParts, type Signing } from '../../../relay/gateway/signing/signing-setting.ts';
import { ordersOf, type Subject } from './field-orders.ts';
import { hashIn, hashings, rankOf, separators } from './forms.ts';

const canonical: Signing = { scheme: 'canonical' };

/** A signing, and its cost: the higher, the less probable. */
type Candidate = { signing: Signing; cost: number };

/**
 * The cost of the relay's default among changes of one part of `concat`, and the cost of each further order of fields.
 */
const CANONICAL_COST = 2.8;
const ORDER_COST = 2.2;

/** The relay's query, for the orders of its fields. */
const query = (fields: readonly string[]): Subject => ({
  operation: 'query',
  direction: 'request',
  message: Object.fromEntries(fields.map((name) => [name, ''])),
});

/** The fields of a query by orders. */
const QUERY_FIELDS = ['merchant_id', 'account_id', 'orders'];

/**
 * Other ways to sign a query than the file's, most probable first, each once. For `concat` these are changes of one
 * part, and `canonical`; for another scheme every `concat`.
 */
export function signingAlternatives(file: Signing): Signing[] {
  const candidates = file.scheme === 'concat' ? [...changesOf(file)] : [...canonicalFor(file), ...everyConcat()];
  const known = new Set([keyOf(file)]);
  return candidates
    .toSorted((one, other) => one.cost - other.cost)
    .flatMap(({ signing }) => {
      const key = keyOf(signing);
      if (known.has(key)) return [];
      known.add(key);
      return [signing];
    });
}

/**
 * The possible signings of requests if answers have this signing: the same signing, over the usual orders of a query's
 * fields.
 */
export function requestsLike(answers: Signing, file: Signing): Signing[] {
  if (answers.scheme !== 'concat') return [answers];
  const own = file.scheme === 'concat' ? file : undefined;
  const fields = own?.fields.query ?? QUERY_FIELDS;
  return uniqueOrders(fields).map((order) => ({
    ...answers,
    fields: { ...own?.fields, query: order },
    answer_fields: { ...own?.answer_fields, ...answers.answer_fields },
  }));
}

function canonicalFor(file: Signing): Candidate[] {
  return file.scheme === 'canonical' ? [] : [{ signing: canonical, cost: -1 }];
}

function uniqueOrders(fields: readonly string[]): string[][] {
  const orders = [[...fields], ...ordersOf(fields, query(fields))];
  return orders.filter((order, at) => orders.findIndex((one) => one.join() === order.join()) === at);
}

function* changesOf(file: ConcatScheme): Generator<Candidate> {
  yield { signing: canonical, cost: CANONICAL_COST };
  for (const separator of separators) yield { signing: { ...file, separator }, cost: rankOf('separator', separator) };
  for (const output of concatParts.outputs) yield { signing: { ...file, output }, cost: rankOf('output', output) };
  for (const hashing of hashings) {
    const [isSameHash, isSamePlace] = [
      hashIn(hashing.algorithm) === hashIn(file.algorithm),
      hashing.secret === file.secret,
    ];
    if (isSameHash) yield { signing: { ...file, ...hashing }, cost: rankOf('secret', hashing.secret) };
    if (isSamePlace) yield { signing: { ...file, ...hashing }, cost: rankOf('hash', hashIn(hashing.algorithm)) };
  }
  const [, ...orders] = uniqueOrders(file.fields.query ?? QUERY_FIELDS);
  for (const [at, order] of orders.entries()) {
    yield { signing: { ...file, fields: { ...file.fields, query: order } }, cost: ORDER_COST * (at + 1) };
  }
}

function* everyConcat(): Generator<Candidate> {
  for (const [at, order] of uniqueOrders(QUERY_FIELDS).entries()) {
    for (const hashing of hashings) {
      for (const separator of separators) {
        for (const output of concatParts.outputs) {
          const cost =
            rankOf('hash', hashIn(hashing.algorithm)) +
            rankOf('secret', hashing.secret) +
            rankOf('separator', separator) +
            rankOf('output', output) +
            ORDER_COST * at;
          const parts = { ...hashing, separator, output, fields: { query: order }, answer_fields: {} };
          yield { signing: { scheme: 'concat', ...parts }, cost };
        }
      }
    }
  }
}

/** A key that is equal for two signings that sign a query identically. */
export function keyOf(signing: Signing): string {
  if (signing.scheme !== 'concat') return signing.scheme;
  const { algorithm, fields, separator, secret, output, empty = 'keep' } = signing;
  return JSON.stringify([algorithm, fields.query, separator, secret, output, empty]);
}
