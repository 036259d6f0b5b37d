import { Component } from 'preact';
import { retype } from '../../card/retype.ts';
import type { ExtraField } from '../../fields.ts';
import type { CheckoutModel } from '../../model.ts';
import { Field, inputId } from '../../view/field.tsx';
import { Input } from '../../view/input.tsx';
import { countries, countryName } from '../address/countries.ts';
import { contextOf } from '../context.ts';
import { callingCode, phoneCountry } from './codes.ts';
import { homeName, homeOf, learnTelephony } from './phone.ts';
import { loadPhones, phoneAtHome, phonesFor, writtenPhone } from './reader.ts';

learnTelephony({ callingCode, phoneCountry, phonesFor });

type Props = { checkout: CheckoutModel; field: ExtraField; label: string };

/** A telephone number, and beside it whose it is. A number that begins with its calling code says so itself. */
export class PhoneField extends Component<Props, { whole: boolean }> {
  override state = { whole: false };

  override componentDidMount(): void {
    this.setState({ whole: true });
    void this.#load();
  }

  override componentDidUpdate(): void {
    void this.#load();
    this.#keepHome();
    this.#settle();
  }

  override render() {
    const { checkout, field, label } = this.props;
    const { t, boot, state } = checkout;
    const home = this.#home ?? '';
    const fallback = home ? [{ code: home, name: countryName(home, boot.locale) }] : [];
    const options = this.state.whole ? countries(boot.locale) : fallback;
    return (
      <Field checkout={checkout} name={field.name} label={label}>
        <div class="phone">
          <div class="dial">
            <select
              id={inputId(homeName(field.name))}
              aria-label={t('calling_code')}
              autocomplete="off"
              aria-invalid={!home && state.errors[field.name] !== undefined}
              value={home}
              disabled={state.stage.name === 'paying'}
              onChange={(event) => this.#choose(event.currentTarget.value)}
            >
              {!home && <option value="">+</option>}
              {options
                .filter(({ code }) => callingCode(code))
                .map(({ code, name }) => (
                  <option key={code} value={code} selected={code === home}>
                    {`${name} +${callingCode(code)}`}
                  </option>
                ))}
            </select>
            <span aria-hidden="true">+{callingCode(home)}</span>
          </div>
          <div class="box">
            <Input
              checkout={checkout}
              name={field.name}
              autocomplete={field.autocomplete}
              required={!field.optional}
              format={(text) => writtenPhone(text, this.#home)}
              more={{ type: 'tel', dir: 'ltr' }}
            />
          </div>
        </div>
      </Field>
    );
  }

  get #text(): string {
    return this.props.checkout.state.values[this.props.field.name] ?? '';
  }

  get #home(): string | undefined {
    const { checkout, field } = this.props;
    return homeOf(field.name, contextOf(checkout)) || undefined;
  }

  #choose(country: string): void {
    const { checkout, field } = this.props;
    const { values } = checkout.state;
    const code = callingCode(this.#home);
    const text = this.#text.replace(new RegExp(`^\\s*(\\+|00)\\s*${code}\\s*`), '');
    checkout.set({ values: { ...values, [homeName(field.name)]: country, [field.name]: writtenPhone(text, country) } });
    if (checkout.state.errors[field.name]) checkout.leave(field.name);
  }

  /** Loads what the number needs. What was typed until that came is then written as it would have been; the caret stays. */
  async #load(): Promise<void> {
    if (!(await loadPhones(this.#text, this.#home))) return;
    const { checkout, field } = this.props;
    const { values, stage } = checkout.state;
    const text = writtenPhone(this.#text, this.#home);
    if (!text || stage.name !== 'form') return checkout.set({});
    const shown = { ...values, [field.name]: text };
    const input = document.activeElement;
    if (!(input instanceof HTMLInputElement) || input.id !== inputId(field.name))
      return checkout.set({ values: shown });
    // What it shows may be older than the state: each key that was typed meanwhile waits here.
    const { value, selectionStart } = input;
    const typed = { text: value, caret: selectionStart ?? value.length, before: value, how: '' };
    const { caret } = retype(typed, () => text);
    checkout.set({ values: shown }, () => input.setSelectionRange(caret, caret));
  }

  /** A number that is typed stays its country's, whichever the address is moved to. */
  #keepHome(): void {
    const { checkout, field } = this.props;
    const { values, stage } = checkout.state;
    const home = this.#home;
    if (!home || !this.#text || values[homeName(field.name)] || stage.name !== 'form') return;
    checkout.set({ values: { ...values, [homeName(field.name)]: home } });
  }

  /** Shows a whole number that was filled in with its calling code as it is written at home, once nobody is typing it. */
  #settle(): void {
    const { checkout, field } = this.props;
    if (!/^\s*(\+|00)/.test(this.#text) || document.activeElement?.id === inputId(field.name)) return;
    const found = phoneAtHome(this.#text);
    const { values, stage } = checkout.state;
    if (!found || stage.name !== 'form') return;
    checkout.set({ values: { ...values, [homeName(field.name)]: found.country, [field.name]: found.text } });
  }
}
