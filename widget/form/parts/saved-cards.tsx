import type { CheckoutModel } from '../model.ts';
import { SecurityCode } from '../view/card-fields.tsx';
import { Radios } from '../view/radios.tsx';

/** The cards that the shop keeps for this shopper, and another one. A saved card asks for its security code only. */
export function SavedCards({ checkout }: { checkout: CheckoutModel }) {
  const { say, state } = checkout;
  const saved = state.view.saved_cards ?? [];
  if (!saved.length) return null;
  const options = saved.map(({ token_id, brand, last4, expiration_month, expiration_year }) => ({
    value: token_id,
    label: say('saved_card', { brand, last4 }),
    detail: say('saved_expires', { date: `${expiration_month}/${expiration_year.slice(-2)}` }),
  }));
  return (
    <>
      <Radios
        name="saved_card"
        legend={say('saved_cards')}
        value={state.token}
        options={[...options, { value: '', label: say('another_card') }]}
        onChoose={(token) => checkout.chooseCard(token)}
      />
      {state.token && <SecurityCode checkout={checkout} />}
    </>
  );
}
