import type { FieldContext } from '../../../shared/checkout/fields/context.ts';
import type { collectGroups } from '../../../shared/checkout/session.ts';
import { chosenMethod, type State, type View } from '../state.ts';
import { hasPart } from './address/address.ts';
import { fieldsUnder } from './catalogue.ts';

/** The fields of each group of `collect`: those of `collectGroups`, which browsers cannot load. */
export const COLLECTED: { readonly [Group in keyof typeof collectGroups]: (typeof collectGroups)[Group] } = {
  email: ['shopper_email'],
  phone: ['shopper_phone'],
  document: ['document'],
  birth_date: ['birth_date'],
  billing_address: ['billing_country', 'billing_state', 'billing_city', 'billing_address', 'billing_postal_code'],
  delivery_address: [
    'delivery_firstname',
    'delivery_lastname',
    'delivery_country',
    'delivery_state',
    'delivery_city',
    'delivery_address',
    'delivery_postal_code',
  ],
};

/** The paths that the session and the chosen method request, each once. */
export function requestedPaths(state: State): Set<string> {
  return new Set([...methodPaths(state), ...collectedPaths(state.view)]);
}

/** The paths that the session requests, whichever method is chosen. */
export function collectedPaths({ collect }: View): string[] {
  return collect.flatMap((group): readonly string[] => (isGroup(group) ? COLLECTED[group] : []));
}

/** The paths that the chosen method requests. */
function methodPaths(state: State): string[] {
  const method = chosenMethod(state);
  return method ? pathsOf(method) : [];
}

/** The paths that a method requests. */
export function pathsOf(method: View['methods'][number]): string[] {
  if (method.type !== 'apm') return [];
  return [...(method.banks?.length ? ['bank_code'] : []), ...(method.fields ?? [])].flatMap(fieldsUnder);
}

/** Pairs of a field of the person (§2.3) and a field of the shopper with the same value. */
const SAME_QUESTION: Readonly<Record<string, string>> = {
  'person.email': 'shopper_email',
  'person.birth_date': 'birth_date',
  'person.document_number': 'document',
};

/**
 * The requested field whose value is also sent for this one if this one is empty, so that no shopper types it twice.
 */
export function fallbackOf(path: string, requested: ReadonlySet<string>): string | undefined {
  const own = SAME_QUESTION[path];
  // A document of a certain type may be another one.
  if (path === 'person.document_number' && requested.has('person.document_type')) return undefined;
  return own && requested.has(own) ? own : undefined;
}

/** The order's value of a field, if it is certain: after an attempt, the shopper's own values come back with it. */
export function orderValue({ view }: State, path: string): string | undefined {
  return wasTried(view) ? undefined : view.prefill?.[path];
}

/** Whether there was an earlier attempt. */
export function wasTried({ last_method, notice }: View): boolean {
  return last_method !== undefined || notice !== undefined;
}

/**
 * Whether only the chosen method requests a field. The session's fields are shown separately, whichever method is
 * chosen, and so are fields that may stay empty because of them.
 */
export function isMethodField(path: string, state: State): boolean {
  const collected = collectedPaths(state.view);
  const same = fallbackOf(path, requestedPaths(state)) ?? path;
  return methodPaths(state).includes(path) && !collected.includes(path) && !collected.includes(same);
}

/** Whether addresses there have this part, or the method requires it. */
export function applies(path: string, state: State, context: FieldContext): boolean {
  return hasPart(path, context) || methodPaths(state).includes(path);
}

function isGroup(name: string): name is keyof typeof COLLECTED {
  return Object.hasOwn(COLLECTED, name);
}
