import { dayFirst, type ExtraField } from '../fields.ts';
import type { Tree } from '../model.ts';
import type { State } from '../state.ts';

/** What the fields beside the card's add to a payment's request: each at its dotted path. */
export function treeOf(state: State, extra: readonly ExtraField[]): Tree {
  const tree: Tree = {};
  for (const field of extra) {
    const value = (state.values[field.name] ?? '').trim();
    if (value) put(tree, field.name.split('.'), field.kind === 'date' ? dayFirst(value) : value);
  }
  return tree;
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
