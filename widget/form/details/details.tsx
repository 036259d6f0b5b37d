import type { MessageKey } from '../../locales/messages.ts';
import type { ExtraField } from '../fields.ts';
import type { CheckoutModel, DetailsModule } from '../model.ts';
import { chosenMethod } from '../state.ts';
import { ExtraFieldView } from './extra-field.tsx';
import { findFields, methodFields } from './fields.ts';
import { treeOf } from './tree.ts';

/** The fields beside the card's, in their groups. */
export function Details({ checkout }: { checkout: CheckoutModel }) {
  const { state } = checkout;
  const method = chosenMethod(state);
  const own = methodFields(method).map(({ name }) => name);
  const all = checkout.extra;
  const part = (test: (name: string) => boolean) => all.filter(({ name }) => test(name));
  const billing = part((name) => name.startsWith('billing_') && !own.includes(name));
  const delivery = part((name) => name.startsWith('delivery_') && !own.includes(name));
  const contact = all.filter((field) => !billing.includes(field) && !delivery.includes(field));
  return (
    <>
      <Group checkout={checkout} legend="contact" fields={contact} />
      <Group checkout={checkout} legend="billing" fields={billing} />
      <Group checkout={checkout} legend="delivery" fields={delivery} />
    </>
  );
}

function Group({ checkout, legend, fields }: { checkout: CheckoutModel; legend: MessageKey; fields: ExtraField[] }) {
  if (!fields.length) return null;
  return (
    <fieldset class="group">
      <legend>{checkout.say(legend)}</legend>
      {fields.map((field) => (
        <ExtraFieldView key={field.name} checkout={checkout} field={field} />
      ))}
    </fieldset>
  );
}

/** The details as one module to load. */
export const details: DetailsModule = { findFields, treeOf, Details };
