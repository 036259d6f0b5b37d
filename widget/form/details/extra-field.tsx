import type { InputHTMLAttributes } from 'preact';
import type { ExtraField } from '../fields.ts';
import type { CheckoutModel } from '../model.ts';
import { Field } from '../view/field.tsx';
import { Input } from '../view/input.tsx';
import { Choice } from './choice.tsx';
import { countries } from './countries.ts';

const TYPES = {
  text: { type: 'text' },
  email: { type: 'email' },
  tel: { type: 'tel' },
  date: { type: 'date' },
} as const satisfies Record<string, InputHTMLAttributes>;

/** One labelled field beside the card's. */
export function ExtraFieldView({ checkout, field }: { checkout: CheckoutModel; field: ExtraField }) {
  const { say, boot } = checkout;
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
          options={kind === 'country' ? countries(boot.locale) : (field.choices ?? [])}
        />
      ) : (
        <Input checkout={checkout} name={name} autocomplete={autocomplete} more={TYPES[kind]} required={!optional} />
      )}
    </Field>
  );
}
