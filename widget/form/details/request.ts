import type { FieldContext } from '../../../shared/checkout/fields/context.ts';
import { fieldValue } from '../../../shared/checkout/fields/problem.ts';
import type { CheckoutModel, Tree } from '../model.ts';
import { applies, askedPaths } from './asked.ts';
import { catalogue } from './catalogue.ts';
import { contextOf } from './context.ts';
import { FILE, FILE_TYPE } from './document/file-paths.ts';
import { phoneValue } from './phone/phone.ts';

/** What the fields beside the card's add to a payment's request: each at its dotted path, as it is sent. */
export function treeOf(checkout: CheckoutModel): Tree {
  const asked = askedPaths(checkout.state);
  const context = contextOf(checkout);
  const tree: Tree = {};
  for (const path of asked) {
    const value = sentValue(path, asked, context);
    if (value && applies(path, checkout.state, context)) put(tree, path.split('.'), value);
  }
  return tree;
}

function sentValue(path: string, asked: ReadonlySet<string>, context: FieldContext): string {
  const value = context.values[path]?.trim() ?? '';
  const file = context.values[FILE];
  if (path === FILE_TYPE && asked.has(FILE)) return file ? value : '';
  if (!value || path === FILE) return value;
  return catalogue.get(path)?.kind === 'tel' ? phoneValue(path, value, context) : fieldValue(path, value, context);
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
