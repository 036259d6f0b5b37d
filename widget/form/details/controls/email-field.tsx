import { Component } from 'preact';
import { emailSuggestion } from '../../../../shared/checkout/fields/email.ts';
import type { ExtraField } from '../../fields.ts';
import type { CheckoutModel } from '../../model.ts';
import { Field } from '../../view/field.tsx';
import { Input } from '../../view/input.tsx';

type Props = { checkout: CheckoutModel; field: ExtraField; label: string };

/** An e-mail address. What looks like a slip of the finger is told once the shopper is done, and never stands in the way. */
export class EmailField extends Component<Props, { left: string }> {
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

  /** The button goes, so the shopper is taken back to the address. */
  #accept(email: string): void {
    const { checkout, field } = this.props;
    checkout.type(field.name, email);
    checkout.leave(field.name);
    checkout.focus(field.name);
  }
}
