import { Component, type InputHTMLAttributes } from 'preact';
import { emailSuggestion } from '../../../shared/checkout/fields/email.ts';
import { kindOf } from '../../../shared/checkout/fields/kinds.ts';
import type { ExtraField } from '../fields.ts';
import type { CheckoutModel } from '../model.ts';
import { Field, Input } from '../view/field.tsx';
import { type ControlProps, contextOf, type Form } from './context.ts';
import { Choice } from './controls/choice.tsx';
import { DocumentField } from './controls/document-field.tsx';
import { MAX_LISTED_BANKS } from './features.ts';

/** One labelled field besides the card's. Without its control it is a plain input. */
export function FieldView({ form, field }: { form: Form; field: ExtraField }) {
  const { checkout, features } = form;
  const { t } = checkout;
  const { phones } = features;
  const { BirthDate, FileField, PhoneField } = features.controls;
  const { name, kind, optional } = field;
  const text = typeof field.label === 'string' ? t(field.label) : field.label.text;
  const label = optional ? t('optional', { label: text }) : text;
  switch (kind) {
    case 'date':
      if (BirthDate) return <BirthDate form={form} field={field} label={label} />;
      break;
    case 'email':
      return <EmailField checkout={checkout} field={field} label={label} />;
    case 'file':
      if (FileField) return <FileField form={form} field={field} label={label} />;
      break;
    case 'tel':
      if (PhoneField && phones) return <PhoneField form={form} field={field} label={label} phones={phones} />;
      break;
    default:
  }
  return (
    <Field checkout={checkout} name={name} label={label}>
      <Control form={form} field={field} label={label} />
    </Field>
  );
}

function Control({ form, field, label }: ControlProps) {
  const { checkout, features } = form;
  const { Combobox, CountryChoice } = features.controls;
  const { name, autocomplete, kind, optional, format, inputMode } = field;
  if (kind === 'country' && CountryChoice) return <CountryChoice form={form} field={field} label={label} />;
  const choices = field.choices ?? [];
  if (name === 'bank_code' && Combobox && choices.length > MAX_LISTED_BANKS) {
    // Another method has other banks.
    return <Combobox key={checkout.state.method} form={form} field={field} label={label} />;
  }
  if (kind === 'choice')
    return (
      <Choice
        checkout={checkout}
        name={name}
        autocomplete={autocomplete}
        prompt={checkout.t('choose')}
        required={!optional}
        value={contextOf(form).values[name] ?? ''}
        options={choices}
      />
    );
  if (kindOf(name) === 'document') return <DocumentField key={name} form={form} field={field} label={label} />;
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

/**
 * Attributes of the input. Names begin with a capital letter on a phone's keyboard; codes are written from left to
 * right.
 */
function moreOf({ name, inputMode, label }: ExtraField): InputHTMLAttributes {
  if (inputMode || /(_code|_number|_id|currency)$/.test(name)) return { dir: 'ltr' };
  const isName = typeof label === 'string' && /name|city|street|address|district/.test(label);
  return isName ? { autocapitalize: 'words' } : {};
}

type Props = { checkout: CheckoutModel; field: ExtraField; label: string };

/**
 * An e-mail address. A probable typing mistake is shown once the shopper leaves the field, and never prevents the
 * payment.
 */
class EmailField extends Component<Props, { left: string }> {
  override state = { left: '' };

  override render() {
    const { checkout, field, label } = this.props;
    const { t } = checkout;
    const value = checkout.state.values[field.name] ?? '';
    const email = value && value === this.state.left ? emailSuggestion(value) : undefined;
    return (
      <div class="mail" onBlurCapture={() => this.setState({ left: checkout.state.values[field.name] ?? '' })}>
        <Field checkout={checkout} name={field.name} label={label}>
          <Input
            checkout={checkout}
            name={field.name}
            autocomplete={field.autocomplete}
            required={!field.optional}
            more={{ type: 'email', dir: 'ltr' }}
          />
        </Field>
        <div class="suggestion" role="status">
          {email && (
            <button type="button" onClick={() => this.#accept(email)}>
              {t('email_suggested', { email })}
            </button>
          )}
        </div>
      </div>
    );
  }

  /** The button disappears, so the focus moves back to the address. */
  #accept(email: string): void {
    const { checkout, field } = this.props;
    checkout.type(field.name, email);
    checkout.leave(field.name);
    checkout.focus(field.name);
  }
}
