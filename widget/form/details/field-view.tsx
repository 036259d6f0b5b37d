import type { InputHTMLAttributes } from 'preact';
import type { ExtraField } from '../fields.ts';
import type { CheckoutModel } from '../model.ts';
import { Field } from '../view/field.tsx';
import { Input } from '../view/input.tsx';
import { Choice } from './choice.tsx';
import { contextOf } from './context.ts';
import type { Controls } from './controls.ts';
import { DocumentField } from './document/document-field.tsx';
import { EmailField } from './email-field.tsx';
import { isDocument } from './formats.ts';
import { MAX_LISTED_BANKS } from './pieces/needed.ts';

type Props = { checkout: CheckoutModel; controls: Controls; field: ExtraField };

/** One labelled field beside the card's. One whose control did not come is typed as it is sent. */
export function ExtraFieldView({ checkout, controls, field }: Props) {
  const { t } = checkout;
  const { BirthDate, FileField, PhoneField } = controls;
  const { name, kind, optional } = field;
  const text = typeof field.label === 'string' ? t(field.label) : field.label.text;
  const label = optional ? t('optional', { label: text }) : text;
  switch (kind) {
    case 'date':
      if (BirthDate) return <BirthDate checkout={checkout} field={field} legend={label} />;
      break;
    case 'email':
      return <EmailField checkout={checkout} field={field} label={label} />;
    case 'file':
      if (FileField) return <FileField checkout={checkout} field={field} label={label} />;
      break;
    case 'tel':
      if (PhoneField) return <PhoneField checkout={checkout} field={field} label={label} />;
      break;
    default:
  }
  return (
    <Field checkout={checkout} name={name} label={label}>
      <Control checkout={checkout} controls={controls} field={field} />
    </Field>
  );
}

function Control({ checkout, controls: { Combobox, CountryChoice }, field }: Props) {
  const { name, autocomplete, kind, optional, format, inputMode } = field;
  if (kind === 'country' && CountryChoice) return <CountryChoice checkout={checkout} field={field} />;
  const choices = field.choices ?? [];
  if (name === 'bank_code' && Combobox && choices.length > MAX_LISTED_BANKS) {
    return (
      <Combobox
        // Another method has other banks.
        key={checkout.state.method}
        checkout={checkout}
        name={name}
        label={checkout.t('bank')}
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
        prompt={checkout.t('choose')}
        required={!optional}
        value={contextOf(checkout).values[name] ?? ''}
        options={choices}
      />
    );
  if (isDocument(name)) return <DocumentField key={name} checkout={checkout} field={field} />;
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
      more={moreOf(field)}
    />
  );
}

/** Names begin with a capital letter where a phone's keyboard has any; what is made of signs is written from left to right. */
function moreOf({ name, inputMode, label }: ExtraField): InputHTMLAttributes {
  if (inputMode || /(_code|_number|_id|currency)$/.test(name)) return { dir: 'ltr' };
  const isName = typeof label === 'string' && /name|city|street|address|district/.test(label);
  return isName ? { autocapitalize: 'words' } : {};
}
