import type { CardSecrets } from '../../../shared/card-data/mask.ts';
import { kindOf } from '../../../shared/checkout/fields/kinds.ts';
import { isObject } from '../../../shared/checkout/is-object.ts';
import { collectGroups } from '../../../shared/checkout/session.ts';
import type { Terms } from '../../payments/session.ts';
import type { PayBody } from '../message.ts';
import { mayHoldTypedCard, splitNames } from './card-in-text.ts';

/** Longer values are sent and not stored: no shopper types them, and every change would write them again. */
const MAX_CHARACTERS = 300;

/**
 * The terms with the shopper's values of this attempt, so that the form can show them again at the next attempt. They
 * include only fields that the form shows beside the card's, no files, and no text that may contain card data.
 */
export function withFilled(terms: Terms, body: PayBody): Terms {
  const isShown = shownFields(terms);
  const isKept = (path: string): boolean =>
    path === 'installments' || path === 'installments_id' || (isShown(path) && kindOf(path) !== 'file_data');
  const own: CardSecrets = {
    ...('card' in body && { card: body.card }),
    ...('security_code' in body && { security_code: body.security_code }),
  };
  const typed = textsIn(body, isKept);
  const tainted = splitNames.flatMap((pair): readonly string[] =>
    mayHoldTypedCard(pair.map((path) => typed.get(path) ?? '').join(' '), own) ? pair : [],
  );
  const kept: Record<string, string> = {};
  for (const [path, value] of typed) {
    const isShort = value !== '' && value.length <= MAX_CHARACTERS;
    if (isShort && !tainted.includes(path) && !mayHoldTypedCard(value, own)) kept[path] = value;
  }
  if (Object.keys(kept).length === 0) return terms;
  // A plan is stored completely or not at all.
  const { installments: _, installments_id: __, ...before } = terms.filled ?? {};
  return { ...terms, filled: { ...(typed.get('installments') ? before : terms.filled), ...kept } };
}

/** The initial values of the form's fields: the shopper's values of an earlier attempt, otherwise the order's. */
export function prefill(terms: Terms): Record<string, string> {
  const { order, filled = {}, installment_options } = terms;
  const { installments, installments_id, ...fields } = filled;
  const plan = installment_options.findIndex(
    (option) => option.installments === installments && option.installments_id === installments_id,
  );
  const isShown = shownFields(terms);
  return {
    // Browsers do not let a page fill in a file.
    ...Object.fromEntries(textsIn(order, (path) => isShown(path) && kindOf(path) !== 'file_data')),
    ...fields,
    ...(plan >= 0 ? { installments: String(plan) } : {}),
  };
}

/** The shopper's values without the fields that the shop has changed in the order since. */
export function filledBeside(
  filled: Terms['filled'],
  changed: ReadonlySet<string>,
): { filled?: Record<string, string> } {
  const left = Object.entries(filled ?? {}).filter(([path]) => !changed.has(path.split('.')[0] ?? ''));
  return left.length > 0 ? { filled: Object.fromEntries(left) } : {};
}

/** The group of `collect` that requests a field. */
const groupOf = new Map(
  Object.entries(collectGroups).flatMap(([group, paths]) => paths.map((path) => [path, group] as const)),
);

/** Whether the session requests the field at a path by `collect`. */
export function isCollected({ collect }: Terms, path: string): boolean {
  const own = groupOf.get(path);
  return own !== undefined && collect.some((group) => group === own);
}

/**
 * Returns a function that tests whether the form shows the field at a path beside the card's fields. A method may name
 * an object to request all of its fields.
 */
export function shownFields(terms: Terms): (path: string) => boolean {
  const own = terms.methods.flatMap((method) => (method.type === 'apm' ? ['bank_code', ...(method.fields ?? [])] : []));
  return (path) =>
    path === 'first_name' ||
    path === 'last_name' ||
    isCollected(terms, path) ||
    own.some((name) => path === name || path.startsWith(`${name}.`));
}

/**
 * The texts of a payment or its order at the wanted paths, by dotted path (`person.email`). Fields of a form are at the
 * top or inside `person`.
 */
export function textsIn(value: object, isWanted: (path: string) => boolean): Map<string, string> {
  const texts = new Map<string, string>();
  const read = (inside: Readonly<Record<string, unknown>>, under: string): void => {
    for (const name in inside) {
      const inner = inside[name];
      const path = under + name;
      if (typeof inner === 'string') {
        if (isWanted(path)) texts.set(path, inner);
      } else if ((under || name === 'person') && isObject(inner) && !Array.isArray(inner)) read(inner, `${path}.`);
    }
  };
  if (isObject(value)) read(value, '');
  return texts;
}
