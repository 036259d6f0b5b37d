import type { SavedCard } from '../../../shared/checkout/session.ts';
import { expiryProblem } from '../card/expiry.ts';
import type { State } from '../state.ts';

/**
 * Fills in what the shop knows of the shopper, where nothing was typed yet, and chooses the first saved card that has not
 * expired, unless the shopper is `typing`: no field may vanish from under their hands.
 */
export function prefilled(state: State, typing: boolean, now: Date): Pick<State, 'values' | 'token'> {
  const { prefill = {}, saved_cards = [] } = state.view;
  const { first_name = '', last_name = '' } = prefill;
  const known: Record<string, string> = { ...prefill, name: `${first_name} ${last_name}`.trim() };
  const isGood = ({ expiration_month: month, expiration_year: year }: SavedCard) =>
    expiryProblem(`${month}/${year}`, now) !== 'expiry_past';
  const typed = Object.entries(state.values).filter(([, value]) => value);
  return {
    values: { ...known, ...Object.fromEntries(typed) },
    token: state.token || (typing || state.values.card ? '' : (saved_cards.find(isGood)?.token_id ?? '')),
  };
}
