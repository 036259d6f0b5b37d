import { Component } from 'preact';
import * as addresses from '../../../../shared/checkout/fields/address/address.ts';
import { countries, countryName } from '../../../../shared/checkout/fields/address/countries.ts';
import { kindOf } from '../../../../shared/checkout/fields/kinds.ts';
import type { CheckoutModel } from '../../model.ts';
import { type ControlProps, contextOf, type Feature, type Form, likelyCountry, regionOf } from '../context.ts';
import { Choice } from '../controls/choice.tsx';
import { requestedPaths } from '../requested.ts';
import { addressPart, stateFits } from './address.ts';

/** Fields of the recipient, which depend on no country. */
const NAMES = ['firstname', 'lastname'];

export const feature = (): Feature => ({ rules: { addresses }, controls: { CountryChoice } });

/**
 * The choice of a country, the likely ones first. The server renders only the chosen one; the others are added when the
 * form's script starts.
 */
class CountryChoice extends Component<ControlProps, { allShown: boolean }> {
  override state = { allShown: false };

  override componentDidMount(): void {
    this.setState({ allShown: true });
  }

  override componentDidUpdate(): void {
    keepCountry(this.props.form, this.props.field.name);
  }

  override render() {
    const { form, field } = this.props;
    const { checkout } = form;
    const { boot, t } = checkout;
    const value = contextOf(form).values[field.name] || checkout.state.values[field.name] || '';
    const chosen = value ? [value] : [];
    const likely = this.state.allShown ? likelyOnes(checkout, value) : chosen;
    const named = likely.map((code) => ({ code, name: countryName(code, boot.locale) }));
    return (
      <Choice
        checkout={checkout}
        name={field.name}
        autocomplete={field.autocomplete}
        value={value}
        prompt={value ? undefined : t('choose')}
        required={!field.optional}
        likely={this.state.allShown ? named : []}
        options={this.state.allShown ? countries(boot.locale).filter(({ code }) => !likely.includes(code)) : named}
        onChoose={() => adapt(form, field.name, value)}
      />
    );
  }
}

/** The chosen country, the likely one of this order, and that of the language. */
function likelyOnes(checkout: CheckoutModel, value: string): string[] {
  const region = regionOf(new Intl.Locale(checkout.boot.locale).maximize());
  const codes = [value, likelyCountry(checkout), region].flatMap((code) => code || []);
  return [...new Set(codes)];
}

/** Removes parts of an address that do not fit its new country: a state that was chosen in the country `before`. */
function adapt({ checkout, features }: Form, path: string, before: string): void {
  const address = addressPart(path)?.address ?? '';
  const state = `${address}state`;
  const typed = checkout.state.values[state];
  if (typed && !stateFits(typed, before, checkout.state.values[path], features.rules)) checkout.type(state, '');
  // A value that was wrong in one country may be right in another: in this address, and in a document.
  for (const name of Object.keys(checkout.state.errors)) {
    if (addressPart(name)?.address === address || kindOf(name) === 'document') checkout.leave(name);
  }
}

/**
 * Stores the shown country as chosen, as soon as a part of the address is filled in: from then on neither another
 * language nor another address changes it. `path` is the country's path.
 */
function keepCountry(form: Form, path: string): void {
  const { checkout } = form;
  const { values, stage } = checkout.state;
  if (values[path] || stage.name !== 'form' || !isBegun(checkout, path)) return;
  const shown = contextOf(form).values[path];
  if (shown) checkout.set({ values: { ...values, [path]: shown } });
}

function isBegun({ state }: CheckoutModel, path: string): boolean {
  const address = addressPart(path)?.address;
  return [...requestedPaths(state)].some((name) => {
    const own = addressPart(name);
    return own !== undefined && own.address === address && !NAMES.includes(own.part) && Boolean(state.values[name]);
  });
}
