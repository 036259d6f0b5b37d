import type { Tree } from '../model.ts';
import type { State } from '../state.ts';

/** What a card payment adds to the request: the installments that were chosen. */
export function choicesOf({ method, view, values }: State): Tree {
  const chosen = view.installment_options[Number(values.installments ?? 0)];
  if (!chosen || method !== 'card') return {};
  const { installments, installments_id } = chosen;
  return installments_id === undefined ? { installments } : { installments, installments_id };
}
