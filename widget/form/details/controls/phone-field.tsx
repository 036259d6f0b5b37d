import { Component } from 'preact';
import { countries, countryName } from '../../../../shared/checkout/fields/address/countries.ts';
import { retype } from '../../card/retype.ts';
import { Field, Input, inputId } from '../../view/field.tsx';
import { type ControlProps, contextOf, type Feature, phoneCountryField, phoneCountryOf } from '../context.ts';
import { PhoneReader } from './phone-reader.ts';

type Props = ControlProps & { phones: PhoneReader };

export const feature = (): Feature => ({ phones: new PhoneReader(), controls: { PhoneField } });

/** A telephone number, and beside it its country. A number that begins with a calling code determines the country. */
class PhoneField extends Component<Props, { allShown: boolean }> {
  override state = { allShown: false };

  override componentDidMount(): void {
    this.setState({ allShown: true });
    void this.#load();
  }

  override componentDidUpdate(): void {
    void this.#load();
    this.#keepCountry();
    this.#settle();
  }

  override render() {
    const { form, field, label, phones } = this.props;
    const { checkout } = form;
    const { t, boot, state } = checkout;
    const home = this.#country ?? '';
    const fallback = home ? [{ code: home, name: countryName(home, boot.locale) }] : [];
    const options = this.state.allShown ? countries(boot.locale) : fallback;
    return (
      <Field checkout={checkout} name={field.name} label={label}>
        <div class="phone">
          <div class="dial">
            <select
              id={inputId(phoneCountryField(field.name))}
              aria-label={t('calling_code')}
              autocomplete="off"
              aria-invalid={!home && state.errors[field.name] !== undefined}
              value={home}
              disabled={state.stage.name === 'paying'}
              onChange={(event) => this.#choose(event.currentTarget.value)}
            >
              {!home && <option value="">+</option>}
              {options
                .filter(({ code }) => phones.callingCode(code))
                .map(({ code, name }) => (
                  <option key={code} value={code} selected={code === home}>
                    {`${name} +${phones.callingCode(code)}`}
                  </option>
                ))}
            </select>
            <span aria-hidden="true">+{phones.callingCode(home)}</span>
          </div>
          <div class="box">
            <Input
              checkout={checkout}
              name={field.name}
              autocomplete={field.autocomplete}
              required={!field.optional}
              format={(text) => phones.written(text, this.#country)}
              more={{ type: 'tel', dir: 'ltr' }}
            />
          </div>
        </div>
      </Field>
    );
  }

  get #text(): string {
    return this.props.form.checkout.state.values[this.props.field.name] ?? '';
  }

  get #country(): string | undefined {
    const { form, field } = this.props;
    return phoneCountryOf(field.name, contextOf(form)) || undefined;
  }

  #choose(country: string): void {
    const { form, field, phones } = this.props;
    const { checkout } = form;
    const { values } = checkout.state;
    const code = phones.callingCode(this.#country);
    const text = this.#text.replace(new RegExp(`^\\s*(\\+|00)\\s*${code}\\s*`), '');
    checkout.set({
      values: { ...values, [phoneCountryField(field.name)]: country, [field.name]: phones.written(text, country) },
    });
    if (checkout.state.errors[field.name]) checkout.leave(field.name);
  }

  /** Loads the rules of the number. A number that was typed before is then formatted; the caret stays. */
  async #load(): Promise<void> {
    if (!(await this.props.phones.load(this.#text, this.#country))) return;
    const { form, field, phones } = this.props;
    const { checkout } = form;
    const { values, stage } = checkout.state;
    const text = phones.written(this.#text, this.#country);
    if (!text || stage.name !== 'form') return checkout.set({});
    const shown = { ...values, [field.name]: text };
    const input = document.activeElement;
    if (!(input instanceof HTMLInputElement) || input.id !== inputId(field.name))
      return checkout.set({ values: shown });
    // The shown text may be older than the state, because keys that were typed meanwhile wait here.
    const { value, selectionStart } = input;
    const typed = { text: value, caret: selectionStart ?? value.length, before: value, how: '' };
    const { caret } = retype(typed, () => text);
    checkout.set({ values: shown }, () => input.setSelectionRange(caret, caret));
  }

  /** A typed number stays in its country, even if the country of the address changes. */
  #keepCountry(): void {
    const { form, field } = this.props;
    const { checkout } = form;
    const { values, stage } = checkout.state;
    const home = this.#country;
    if (!home || !this.#text || values[phoneCountryField(field.name)] || stage.name !== 'form') return;
    checkout.set({ values: { ...values, [phoneCountryField(field.name)]: home } });
  }

  /**
   * Shows a complete number that was filled in with its calling code in the national notation, once the shopper has
   * left the field.
   */
  #settle(): void {
    const { form, field, phones } = this.props;
    const { checkout } = form;
    if (!/^\s*(\+|00)/.test(this.#text) || document.activeElement?.id === inputId(field.name)) return;
    const found = phones.atHome(this.#text);
    const { values, stage } = checkout.state;
    if (!found || stage.name !== 'form') return;
    checkout.set({ values: { ...values, [phoneCountryField(field.name)]: found.country, [field.name]: found.text } });
  }
}
