import { holdsCard } from '../../shared/card-data/mask.ts';
import { isObject } from '../../shared/checkout/is-object.ts';
import type { FieldError } from '../../shared/checkout/problem.ts';
import { type EffectName, type Operation, type OperationName, operations } from '../../shared/gateway/operations.ts';
import type { Message } from '../../shared/gateway/signature.ts';
import { invalidFields, ProblemError } from '../base/errors.ts';
import type { Profile } from '../gateway/profile.ts';
import { unlistable } from '../gateway/wire-forms.ts';
import { type BodyRules, parseShopBody } from '../http/parse.ts';

/**
 * The message for a shop's request, without identity and signature: checked by its schema and the limits of §8, with
 * the lists of form operations joined by the profile's separator. Throws ProblemError.
 */
export function messageOf(name: OperationName, body: unknown, profile: Profile, rules?: BodyRules): Message {
  const operation: Operation = operations[name];
  if (!operation.route) throw new TypeError(`${name} has no route`);
  checkLimits(operation, body);
  const fields = parseShopBody(operation.route.body, body, rules);
  const message = operation.encoding === 'form' ? joined(fields, profile) : fields;
  checkFilters(operation, message, profile);
  checkReferences(message);
  return message;
}

function checkReferences({ references }: Message): void {
  const given: unknown[] = Array.isArray(references) ? references : [];
  checkNoCards(given.map((reference, at) => [`references.${at}`, String(reference)]));
}

/** Refuses texts with card data, naming the path of each: these texts are stored unmasked. Throws ProblemError. */
export function checkNoCards(texts: readonly (readonly [path: string, text: string])[]): void {
  const errors = texts.flatMap(([path, text]): FieldError[] =>
    holdsCard(text) ? [{ path, message: 'must not be a card number' }] : [],
  );
  if (errors.length > 0) throw invalidFields(errors);
}

/** Checks the limits of the lists of a request, which count together (§8). Throws ProblemError. */
function checkLimits(operation: Operation, body: unknown): void {
  const lists = Object.keys(operation.lists).flatMap((path) => {
    const list: unknown = isObject(body) ? Reflect.get(body, path) : undefined;
    return Array.isArray(list) && list.length > 0 ? [{ path, entries: list.length }] : [];
  });
  const limit = Math.min(...Object.values(operation.lists));
  const all = lists.reduce((sum, { entries }) => sum + entries, 0);
  if (all <= limit) return;
  const names = lists.map(({ path }) => path).join(', ');
  const together = lists.length > 1 ? ' together' : '';
  throw new ProblemError('batch_too_large', `Send at most ${limit} entries in ${names}${together}.`, {
    errors: lists.map(({ path, entries }) => ({
      path,
      message: `has ${entries} entries; at most ${limit} are allowed${together}`,
    })),
  });
}

function joined(fields: Message, { list_separator }: Profile): Message {
  const errors: FieldError[] = [];
  const message: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(fields)) {
    if (!Array.isArray(value)) {
      message[field] = value;
      continue;
    }
    const at = unlistable(value.map(String), list_separator);
    if (at >= 0) errors.push({ path: `${field}.${at}`, message: `must not contain "${list_separator}"` });
    if (value.length > 0) message[field] = value.join(list_separator);
  }
  if (errors.length > 0) throw invalidFields(errors);
  return message;
}

function checkFilters(operation: Operation, message: Message, { query_requires }: Profile): void {
  if (operation.needsFilter === undefined) return;
  const groups =
    operation.needsFilter === 'profile' ? query_requires : Object.keys(operation.lists).map((list) => [list]);
  if (groups.some((group) => group.every((field) => Boolean(message[field])))) return;
  const known = groups.map((group) => group.join(' with ')).join(', or ');
  throw new ProblemError('invalid_request', `Say what to look for: ${known}.`, {
    errors: [{ path: '', message: `give at least one of: ${known}` }],
  });
}

/**
 * The order_nos in the items of a batch, without repetitions; none for an operation that is no batch. Accepts an
 * unchecked body.
 */
export function orderNumbersIn(name: EffectName, body: unknown): string[] {
  const { batch, lists }: Operation = operations[name];
  const items: unknown = batch && isObject(body) ? body[batch.list] : undefined;
  if (!batch || !Array.isArray(items)) return [];
  const named = items.slice(0, lists[batch.list]).map((item: unknown) => (isObject(item) ? item.order_no : undefined));
  return [...new Set(named)].filter((one) => typeof one === 'string');
}
