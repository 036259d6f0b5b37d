import type { ExtraField } from '../fields.ts';
import type { CheckoutModel } from '../model.ts';
import { Field } from '../view/field.tsx';
import { Input } from '../view/input.tsx';
import { Choice } from './choice.tsx';
import { countries } from './countries.ts';

/** One labelled field beside the card's. */
export function ExtraFieldView({ checkout, field }: { checkout: CheckoutModel; field: ExtraField }) {
  const { say, locale } = checkout;
  const { name, autocomplete, kind, optional } = field;
  const text = typeof field.label === 'string' ? say(field.label) : field.label.text;
  const label = optional ? say('optional', { label: text }) : text;
  const choice = kind === 'choice' || kind === 'country';
  return (
    <Field checkout={checkout} name={name} label={label}>
      {choice ? (
        <Choice
          checkout={checkout}
          name={name}
          autocomplete={autocomplete}
          prompt={say('choose')}
          options={kind === 'country' ? countries(locale) : (field.choices ?? [])}
        />
      ) : (
        <Input checkout={checkout} name={name} autocomplete={autocomplete} type={kind} required={!optional} />
      )}
    </Field>
  );
}
