import type { CheckoutModel } from '../model.ts';
import { MANY_METHODS } from '../parts.ts';
import { methodKey, methodLabel } from '../state.ts';
import { Radios } from './radios.tsx';

/** The chooser of methods; of many it is one of the parts. Where the card is the only one there is nothing to choose. */
export function Methods({ checkout }: { checkout: CheckoutModel }) {
  const { t, state, parts } = checkout;
  const { methods } = state.view;
  if (parts && methods.length > MANY_METHODS) return <parts.Chooser checkout={checkout} />;
  if (methods.length === 1 && methods[0]?.type === 'card') return null;
  return (
    <Radios
      name="method"
      legend={t('methods')}
      value={state.method}
      options={methods.map((method) => ({ value: methodKey(method), label: methodLabel(method, t) }))}
      onChoose={(method) => checkout.choose(method)}
    />
  );
}
