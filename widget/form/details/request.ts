import { digitsOf } from '../../../shared/checkout/fields/digits.ts';
import { fieldValue } from '../../../shared/checkout/fields/problem.ts';
import type { Tree } from '../model.ts';
import { isRepetition, SAME } from './address/delivery.tsx';
import { catalogue, FILE, FILE_TYPE } from './catalogue.ts';
import { contextOf, type DetailsContext, type Form, phoneContext } from './context.ts';
import { applies, requestedPaths } from './requested.ts';

/** What the fields beside the card's add to a payment's request: each at its dotted path, as it is sent. */
export function treeOf(form: Form): Tree {
  const { state } = form.checkout;
  const requested = requestedPaths(state);
  const context = contextOf(form);
  const tree: Tree = {};
  for (const path of requested) {
    const value = sentValue(path, requested, context);
    if (value && applies(path, state, context)) put(tree, path.split('.'), value);
  }
  return tree;
}

/**
 * The name of the field that shows this path of the request. A part of the delivery address that was taken from the billing
 * address is brought to light, with what was sent.
 */
export function place(form: Form, path: string): string {
  const { checkout } = form;
  const { state } = checkout;
  const requested = requestedPaths(state);
  if (path === FILE_TYPE && requested.has(FILE)) return FILE;
  if (requested.has(path) && isRepetition(path, state, requested)) {
    const sent = Object.entries(contextOf(form).values).filter(([name]) => name.startsWith('delivery_'));
    checkout.set({ values: { ...state.values, ...Object.fromEntries(sent), [SAME]: 'no' } });
  }
  return path;
}

function sentValue(path: string, requested: ReadonlySet<string>, context: DetailsContext): string {
  const value = context.values[path]?.trim() ?? '';
  const file = context.values[FILE];
  if (path === FILE_TYPE && requested.has(FILE)) return file ? value : '';
  if (!value || path === FILE) return value;
  return catalogue.get(path)?.kind === 'tel' ? phoneValue(path, value, context) : fieldValue(path, value, context);
}

/** A telephone number as it is sent. While too little is known of its country's it goes with its calling code as it was typed. */
function phoneValue(path: string, value: string, context: DetailsContext): string {
  const own = phoneContext(path, value, context);
  const code = context.reader?.callingCode(own.phoneCountry);
  if (own.phones || !code || /^\s*(\+|00)/.test(value)) return fieldValue(path, value, own);
  return `+${code}${digitsOf(value)}`;
}

function put(tree: Tree, [name = '', ...rest]: string[], value: string): void {
  if (!rest.length) {
    tree[name] = value;
    return;
  }
  const branch = tree[name];
  const next = typeof branch === 'object' ? branch : {};
  tree[name] = next;
  put(next, rest, value);
}
