import type { CheckoutModel } from '../model.ts';
import { methodKey } from '../state.ts';
import { Radios } from './radios.tsx';
import { SavedCards } from './saved-cards.tsx';

/** What to pay with: the method, and for a card one of the shopper's own. A lone card form offers no choice. */
export function Choices({ checkout }: { checkout: CheckoutModel }) {
  return (
    <>
      <Methods checkout={checkout} />
      {checkout.state.method === 'card' && <SavedCards checkout={checkout} />}
    </>
  );
}

function Methods({ checkout }: { checkout: CheckoutModel }) {
  const { say, state } = checkout;
  const { methods } = state.view;
  if (methods.length === 1 && methods[0]?.type === 'card') return null;
  const options = methods.map((method) => ({
    value: methodKey(method),
    label: method.type === 'card' ? say('card') : method.label,
  }));
  return (
    <Radios
      name="method"
      legend={say('methods')}
      value={state.method}
      options={options}
      onChoose={(method) => checkout.choose(method)}
    />
  );
}
