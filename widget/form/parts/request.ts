import { dayFirst, type ExtraField } from '../fields.ts';
import type { Tree } from '../model.ts';
import type { State } from '../state.ts';

/** What the parts add to a payment's request: the fields beside the card's, and the installments that were chosen. */
export function requestOf(state: State, extra: readonly ExtraField[]): Tree {
  return { ...nest(state, extra), ...(state.method === 'card' && installments(state)) };
}

function installments({ view, values }: State): { installments?: string; installments_id?: string } {
  const chosen = view.installment_options[Number(values.installments ?? 0)];
  if (!chosen) return {};
  const { installments, installments_id } = chosen;
  return installments_id === undefined ? { installments } : { installments, installments_id };
}

function nest(state: State, extra: readonly ExtraField[]): Tree {
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
