import type { ComponentChildren } from 'preact';
import type { PaymentMethod } from '../../../shared/checkout/session.ts';
import type { CheckoutModel } from '../model.ts';
import { MANY_METHODS } from '../parts.ts';
import { methodKey, methodLabel } from '../state.ts';
import { AcceptedBrands, acceptedBrands } from './accepted-brands.tsx';
import { MethodFields } from './method-fields.tsx';
import { type Option, Radios } from './radios.tsx';

/**
 * The methods, and within the chosen one what it asks for. The chooser of many is one of the parts. Where the card is the only
 * one there is nothing to choose.
 */
export function Methods({ checkout }: { checkout: CheckoutModel }) {
  const { t, state, parts } = checkout;
  const { methods } = state.view;
  const panel = <MethodFields checkout={checkout} />;
  if (parts && methods.length > MANY_METHODS) return <parts.Chooser checkout={checkout} panel={panel} />;
  if (methods.length === 1 && methods[0]?.type === 'card') return panel;
  return (
    <Radios
      name="method"
      legend={t('methods')}
      value={state.method}
      options={methods.map((method) => methodOption(checkout, method, panel))}
      onChoose={(method) => checkout.choose(method)}
    />
  );
}

/** A method as one of the choices, with its marks or its icon. */
export function methodOption(checkout: CheckoutModel, method: PaymentMethod, panel: ComponentChildren): Option {
  const option = { value: methodKey(method), label: methodLabel(method, checkout.t), panel };
  if (method.type === 'card') {
    return {
      ...option,
      detail: <AcceptedBrands brands={acceptedBrands(checkout.state.view)} />,
      describedBy: 'accepted',
    };
  }
  return method.icon
    ? { ...option, detail: <img class="mark" src={method.icon} width="36" height="24" alt="" /> }
    : option;
}
