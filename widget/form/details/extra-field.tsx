import type { InputHTMLAttributes } from 'preact';
import type { ExtraField } from '../fields.ts';
import type { CheckoutModel } from '../model.ts';
import { Field } from '../view/field.tsx';
import { Input } from '../view/input.tsx';
import { BirthDate } from './birth-date.tsx';
import { Choice } from './choice.tsx';
import { Combobox } from './combobox.tsx';
import { CountryChoice } from './country-choice.tsx';
import { EmailField } from './email-field.tsx';
import { FileField } from './file-field.tsx';
import { isDocument } from './formats.ts';
import { PhoneField } from './phone-field.tsx';
import { retypeText } from './retype-text.ts';
import { contextOf } from './values.ts';

/** More banks than these are found by typing. */
const MANY_BANKS = 8;

/** One labelled field beside the card's. */
export function ExtraFieldView({ checkout, field }: { checkout: CheckoutModel; field: ExtraField }) {
  const { say } = checkout;
  const { name, kind, optional } = field;
  const text = typeof field.label === 'string' ? say(field.label) : field.label.text;
  const label = optional ? say('optional', { label: text }) : text;
  switch (kind) {
    case 'date':
      return <BirthDate checkout={checkout} field={field} legend={label} />;
    case 'email':
      return <EmailField checkout={checkout} field={field} label={label} />;
    case 'file':
      return <FileField checkout={checkout} field={field} label={label} />;
    case 'tel':
      return <PhoneField checkout={checkout} field={field} label={label} />;
    case 'country':
    case 'choice':
    case 'text':
      return (
        <Field checkout={checkout} name={name} label={label}>
          <Control checkout={checkout} field={field} kind={kind} />
        </Field>
      );
  }
}

type ControlProps = { checkout: CheckoutModel; field: ExtraField; kind: 'country' | 'choice' | 'text' };

function Control({ checkout, field, kind }: ControlProps) {
  const { name, autocomplete, optional, format, inputMode } = field;
  if (kind === 'country') return <CountryChoice checkout={checkout} field={field} />;
  const choices = field.choices ?? [];
  if (name === 'bank_code' && choices.length > MANY_BANKS) {
    return (
      <Combobox
        // Another method has other banks.
        key={checkout.state.method}
        checkout={checkout}
        name={name}
        label={checkout.say('bank')}
        options={choices}
      />
    );
  }
  if (kind === 'choice')
    return (
      <Choice
        checkout={checkout}
        name={name}
        autocomplete={autocomplete}
        prompt={checkout.say('choose')}
        required={!optional}
        value={contextOf(checkout).values[name] ?? ''}
        options={choices}
      />
    );
  return (
    <Input
      // Another country's postal code is another kind of input.
      key={name}
      checkout={checkout}
      name={name}
      autocomplete={autocomplete}
      inputMode={inputMode}
      required={!optional}
      format={format}
      {...(isDocument(name) && { follow: retypeText })}
      more={moreOf(field)}
    />
  );
}

/** Names begin with a capital letter where a phone's keyboard has any; what is made of signs is written from left to right. */
function moreOf({ name, inputMode, label }: ExtraField): InputHTMLAttributes {
  if (inputMode || isDocument(name) || /(_code|_number|_id|currency)$/.test(name)) return { dir: 'ltr' };
  const isName = typeof label === 'string' && /name|city|street|address|district/.test(label);
  return isName ? { autocapitalize: 'words' } : {};
}
