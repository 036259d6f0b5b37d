import type { Tree } from '../model.ts';
import type { State } from '../state.ts';

/** What a card payment adds to the request: the installments that were chosen, and that a typed card may be kept. */
export function choicesOf({ method, token, view, values }: State): Tree {
  if (method !== 'card') return {};
  const keeps = view.offers_saving && !token && values.save_card;
  const { installments, installments_id } = view.installment_options[Number(values.installments ?? 0)] ?? {};
  return {
    ...(installments !== undefined && { installments }),
    ...(installments_id !== undefined && { installments_id }),
    ...(keeps && { token_flag: '1' }),
  };
}
