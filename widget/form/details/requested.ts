import type { FieldContext } from '../../../shared/checkout/fields/context.ts';
import type { collectGroups } from '../../../shared/checkout/session.ts';
import { chosenMethod, type State, type View } from '../state.ts';
import { hasPart } from './address/address.ts';
import { fieldsUnder } from './catalogue.ts';

/** What each group of `collect` asks: `collectGroups`, which browsers cannot load. */
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

/** The paths that the session and the chosen method ask for; none twice. */
export function requestedPaths(state: State): Set<string> {
  return new Set([...methodPaths(state), ...collectedPaths(state.view)]);
}

/** The paths that the session asks for, whichever method is chosen. */
export function collectedPaths({ collect }: View): string[] {
  return collect.flatMap((group): readonly string[] => (isGroup(group) ? COLLECTED[group] : []));
}

/** The paths that the chosen method itself asks for. */
function methodPaths(state: State): string[] {
  const method = chosenMethod(state);
  return method ? pathsOf(method) : [];
}

/** The paths that a method asks for. */
export function pathsOf(method: View['methods'][number]): string[] {
  if (method.type !== 'apm') return [];
  return [...(method.banks?.length ? ['bank_code'] : []), ...(method.fields ?? [])].flatMap(fieldsUnder);
}

/** Fields of the person (§2.3) and the shopper's own that ask for the same. */
const SAME_QUESTION: Readonly<Record<string, string>> = {
  'person.email': 'shopper_email',
  'person.birth_date': 'birth_date',
  'person.document_number': 'document',
};

/** The field, asked as well, whose value is sent for this one too if it is left empty: no shopper types the same twice. */
export function fallbackOf(path: string, requested: ReadonlySet<string>): string | undefined {
  const own = SAME_QUESTION[path];
  // A document of a certain type may be another one.
  if (path === 'person.document_number' && requested.has('person.document_type')) return undefined;
  return own && requested.has(own) ? own : undefined;
}

/** What the order itself says of a field, as far as that can be told: after a try the shopper's own texts come back with it. */
export function orderValue({ view }: State, path: string): string | undefined {
  return wasTried(view) ? undefined : view.prefill?.[path];
}

/** Whether there was a try to pay before. */
export function wasTried({ last_method, notice }: View): boolean {
  return last_method !== undefined || notice !== undefined;
}

/**
 * Whether the chosen method alone asks for it: what the session asks for stands apart, whichever method is chosen, and with it
 * what may be left empty for its sake.
 */
export function isMethodField(path: string, state: State): boolean {
  const collected = collectedPaths(state.view);
  const same = fallbackOf(path, requestedPaths(state)) ?? path;
  return methodPaths(state).includes(path) && !collected.includes(path) && !collected.includes(same);
}

/** Whether addresses there have this part, or the method insists on it. */
export function applies(path: string, state: State, context: FieldContext): boolean {
  return hasPart(path, context) || methodPaths(state).includes(path);
}

function isGroup(name: string): name is keyof typeof COLLECTED {
  return Object.hasOwn(COLLECTED, name);
}
