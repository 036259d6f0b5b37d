import { dayFirst } from '../fields.ts';
import type { State } from '../state.ts';

/**
 * Fills in what the shop knows of the shopper, where nothing was typed yet, and chooses the first saved card, unless the shopper
 * is `typing`: no field may vanish from under their hands.
 */
export function prefilled(state: State, typing: boolean): Pick<State, 'values' | 'token'> {
  const { prefill = {}, saved_cards = [] } = state.view;
  const { first_name = '', last_name = '', birth_date, ...others } = prefill;
  const known: Record<string, string> = { ...others, name: `${first_name} ${last_name}`.trim() };
  if (birth_date) known.birth_date = dayFirst(birth_date);
  const typed = Object.entries(state.values).filter(([, value]) => value);
  return {
    values: { ...known, ...Object.fromEntries(typed) },
    token: state.token || (typing || state.values.card ? '' : (saved_cards[0]?.token_id ?? '')),
  };
}
