import type { ComponentType } from 'preact';
import { countryOf } from '../../../shared/checkout/fields/address/country.ts';
import type { CountryRules, FieldContext } from '../../../shared/checkout/fields/context.ts';
import { digitsOf } from '../../../shared/checkout/fields/digits.ts';
import type { ExtraField } from '../fields.ts';
import type { CheckoutModel } from '../model.ts';
import { addressPart, stateOf } from './address/address.ts';
import { isSame, offersSame, sameDelivery } from './address/delivery.tsx';
import type { PhoneReader } from './controls/phone-reader.ts';
import { fallbackOf, requestedPaths } from './requested.ts';

/** The fields besides the card's of one checkout, with their loaded parts. */
export type Form = { readonly checkout: CheckoutModel; readonly features: Features };

/** The parts that only some forms need. */
export type Features = {
  readonly controls: Controls;
  /** The loaded rules of countries: no more than the form needs. */
  readonly rules: CountryRules;
  readonly phones?: PhoneReader;
};

/** A part of the features that is loaded separately. */
export type Feature = Partial<Features>;

/** Controls by the kind of their field. If a control was not loaded, the field is a plain input. */
type Controls = {
  readonly BirthDate?: ComponentType<ControlProps>;
  readonly Combobox?: ComponentType<ControlProps>;
  readonly CountryChoice?: ComponentType<ControlProps>;
  readonly FileField?: ComponentType<ControlProps>;
  readonly PhoneField?: ComponentType<ControlProps & { phones: PhoneReader }>;
};

export type ControlProps = { form: Form; field: ExtraField; label: string };

/** The inputs of a field's rule, with the reader of telephone numbers if the form has such a field. */
export type DetailsContext = FieldContext & { reader?: PhoneReader };

const PHONE = 'shopper_phone';

/** The minimum digits of a card number. */
const MIN_CARD_DIGITS = 12;

/** The countries of the addresses. A country that was not chosen is the one above it, or the most likely one. */
const COUNTRIES = ['billing_country', 'delivery_country', 'person.address_country'];

/**
 * The inputs of the field rules. The values are those of the fields as far as they are known: the input, the most
 * likely country if none was chosen, and for a delivery the billing address if it is the same.
 */
export function contextOf({ checkout, features }: Form): DetailsContext {
  const { state, platform } = checkout;
  const requested = requestedPaths(state);
  const { rules, phones } = features;
  const { currency } = state.view;

  const values: Record<string, string> = { ...state.values };
  const likely = likelyCountry(checkout);
  for (const path of COUNTRIES.filter((country) => requested.has(country) && !values[country])) {
    values[path] = values.billing_country || likely || '';
  }
  if (offersSame(requested) && isSame(state)) Object.assign(values, sameDelivery(state, values, requested));
  for (const path of requested) {
    values[path] ||= values[fallbackOf(path, requested) ?? ''] ?? '';
    if (addressPart(path)?.part !== 'state') continue;
    values[path] = stateOf(values[path], countryOf(path, { currency, values }), rules);
  }
  if (requested.has(PHONE)) values[phoneCountryField(PHONE)] ||= countryOf(PHONE, { currency, values }) ?? likely ?? '';
  const card = state.method === 'card' && !state.token ? digitsOf(state.values.card ?? '') : '';
  return {
    ...rules,
    values,
    currency,
    today: dayOf(platform.now()),
    ...(phones && { reader: phones }),
    ...(card.length >= MIN_CARD_DIGITS && { card }),
  };
}

/** The most likely country of a shopper without a known address: that of the order's currency, or of the language. */
export function likelyCountry({ state, boot }: CheckoutModel): string | undefined {
  return countryOf(PHONE, { values: {}, currency: state.view.currency }) ?? regionOf(new Intl.Locale(boot.locale));
}

/** The country of a locale; undefined for a locale without a country, or with several: `es-419`. */
export function regionOf({ region = '' }: Intl.Locale): string | undefined {
  return /^[A-Z]{2}$/.test(region) ? region : undefined;
}

/** The shopper's date, `YYYY-MM-DD`. */
function dayOf(now: Date): string {
  const pad = (number: number) => String(number).padStart(2, '0');
  return `${now.getFullYear()}-${pad(now.getMonth() + 1)}-${pad(now.getDate())}`;
}

/** The field with the country of a telephone number's calling code. */
export function phoneCountryField(path: string): string {
  return `${path}.country`;
}

/** The country of the number in a telephone field. */
export function phoneCountryOf(path: string, { values, reader }: DetailsContext): string | undefined {
  const chosen = values[phoneCountryField(path)];
  return reader ? reader.countryOf(values[path] ?? '', chosen) : chosen;
}

/** The inputs of a telephone field's rule: the country, and its rules. */
export function phoneContext(path: string, value: string, context: DetailsContext): FieldContext {
  const phoneCountry = phoneCountryOf(path, context);
  const phones = context.reader?.rule(value, phoneCountry);
  return { ...context, ...(phoneCountry && { phoneCountry }), ...(phones && { phones }) };
}
