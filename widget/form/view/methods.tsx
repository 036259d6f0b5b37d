import type { ComponentChildren } from 'preact';
import type { PaymentMethod } from '../../../shared/checkout/session.ts';
import type { CheckoutModel } from '../model.ts';
import { chosenMethod, hasChoice, MANY_METHODS, methodKey, methodLabel } from '../state.ts';
import { AcceptedBrands, acceptedBrands } from './accepted-brands.tsx';
import { CardFields } from './card-fields.tsx';
import { type Option, Radios } from './radios.tsx';
import { StatusRegion } from './status-region.tsx';

/**
 * The methods, and the fields of the chosen one inside of it. The chooser of many methods is one of the parts. If the
 * card is the only method, there is no choice.
 */
export function Methods({ checkout }: { checkout: CheckoutModel }) {
  const { t, state, parts } = checkout;
  const { methods } = state.view;
  const panel = <MethodFields checkout={checkout} />;
  if (parts && methods.length > MANY_METHODS) return <parts.Chooser checkout={checkout} panel={panel} />;
  if (!hasChoice(state.view)) return panel;
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

/** A method as an option, with its marks or its icon. */
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

/** The fields of the chosen method. Their input stays when another method is chosen. */
function MethodFields({ checkout }: { checkout: CheckoutModel }) {
  const { state, parts, t } = checkout;
  const method = chosenMethod(state);
  if (method?.type === 'apm') {
    return (
      <>
        <StatusRegion checkout={checkout} />
        {parts && <parts.Between checkout={checkout} />}
        <p class="note" id="leaving">
          {t('continue_text', { method: method.label })}
        </p>
      </>
    );
  }
  return (
    <>
      <StatusRegion checkout={checkout} />
      {parts && <parts.SavedCards checkout={checkout} />}
      {/* Beside the saved cards, which come later: a field that is typed into must not be moved. */}
      {!state.token && (
        <div class="typed">
          <CardFields checkout={checkout} />
          {parts && <parts.SaveCard checkout={checkout} />}
        </div>
      )}
      {parts && <parts.Between checkout={checkout} />}
    </>
  );
}
