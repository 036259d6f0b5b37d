import { Component } from 'preact';
import type { ExtraField } from '../../fields.ts';
import type { CheckoutModel } from '../../model.ts';
import { Choice } from '../choice.tsx';
import { contextOf, likelyCountry } from '../context.ts';
import { regionOf } from '../region.ts';
import { addressPart, stateFits } from './address.ts';
import { countries, countryName } from './countries.ts';
import { keepCountry } from './keep-country.ts';

type Props = { checkout: CheckoutModel; field: ExtraField };

/** A country, the likely ones first. The server writes the chosen one alone; the others come as the form comes to life. */
export class CountryChoice extends Component<Props, { whole: boolean }> {
  override state = { whole: false };

  override componentDidMount(): void {
    this.setState({ whole: true });
  }

  override componentDidUpdate(): void {
    const { checkout, field } = this.props;
    keepCountry(checkout, field.name);
  }

  override render() {
    const { checkout, field } = this.props;
    const { boot, t } = checkout;
    const value = contextOf(checkout).values[field.name] || checkout.state.values[field.name] || '';
    const chosen = value ? [value] : [];
    const likely = this.state.whole ? likelyOnes(checkout, value) : chosen;
    const named = likely.map((code) => ({ code, name: countryName(code, boot.locale) }));
    return (
      <Choice
        checkout={checkout}
        name={field.name}
        autocomplete={field.autocomplete}
        value={value}
        prompt={value ? undefined : t('choose')}
        required={!field.optional}
        likely={this.state.whole ? named : []}
        options={this.state.whole ? countries(boot.locale).filter(({ code }) => !likely.includes(code)) : named}
        onChoose={() => adapt(checkout, field.name, value)}
      />
    );
  }
}

/** The chosen country, the one that this order is likely paid in, and the language's own. */
function likelyOnes(checkout: CheckoutModel, value: string): string[] {
  const region = regionOf(new Intl.Locale(checkout.boot.locale).maximize());
  const codes = [value, likelyCountry(checkout), region].flatMap((code) => code || []);
  return [...new Set(codes)];
}

/** Keeps of an address what fits its new country: a state that was chosen in the country `before` does not. */
function adapt(checkout: CheckoutModel, path: string, before: string): void {
  const address = addressPart(path)?.address;
  if (!address) return;
  const state = `${address}state`;
  const typed = checkout.state.values[state];
  if (typed && !stateFits(typed, before, checkout.state.values[path])) checkout.type(state, '');
  for (const part of ['postal_code', 'state', 'city', 'address']) {
    if (checkout.state.errors[`${address}${part}`]) checkout.leave(`${address}${part}`);
  }
}
