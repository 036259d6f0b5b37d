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

/** The fields beside the card of one checkout, with what was loaded for them. */
export type Form = { readonly checkout: CheckoutModel; readonly features: Features };

/** What only some forms need. */
export type Features = {
  readonly controls: Controls;
  /** What is known of countries: no more than the form asks for. */
  readonly rules: CountryRules;
  readonly phones?: PhoneReader;
};

/** A part of the features that is loaded on its own. */
export type Feature = Partial<Features>;

/** Controls by the kind of their field. A field whose control did not come is typed as it is sent. */
type Controls = {
  readonly BirthDate?: ComponentType<ControlProps>;
  readonly Combobox?: ComponentType<ControlProps>;
  readonly CountryChoice?: ComponentType<ControlProps>;
  readonly FileField?: ComponentType<ControlProps>;
  readonly PhoneField?: ComponentType<ControlProps & { phones: PhoneReader }>;
};

export type ControlProps = { form: Form; field: ExtraField; label: string };

/** What a field's rule depends on, with who reads telephone numbers if the form asks for one. */
export type DetailsContext = FieldContext & { reader?: PhoneReader };

const PHONE = 'shopper_phone';

/** No card's number has fewer digits. */
const MIN_CARD_DIGITS = 12;

/** Address by address: a country that was not chosen is the one above it, or the likeliest. */
const COUNTRIES = ['billing_country', 'delivery_country', 'person.address_country'];

/**
 * What the rules of fields depend on. Its values are those that the fields hold, as far as they are known: what was typed, the
 * likeliest country if none was chosen, and for a delivery the billing address if it is the same.
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

/** The likeliest country of a shopper of unknown address: where the order's currency is paid with, or their language spoken so. */
export function likelyCountry({ state, boot }: CheckoutModel): string | undefined {
  return countryOf(PHONE, { values: {}, currency: state.view.currency }) ?? regionOf(new Intl.Locale(boot.locale));
}

/** The country of a locale; undefined for one of none, or of many: `es-419`. */
export function regionOf({ region = '' }: Intl.Locale): string | undefined {
  return /^[A-Z]{2}$/.test(region) ? region : undefined;
}

/** The day where the shopper is, `YYYY-MM-DD`. */
function dayOf(now: Date): string {
  const pad = (number: number) => String(number).padStart(2, '0');
  return `${now.getFullYear()}-${pad(now.getMonth() + 1)}-${pad(now.getDate())}`;
}

/** Where the country stands whose calling code stands beside a telephone number. */
export function phoneCountryField(path: string): string {
  return `${path}.country`;
}

/** Whose number a telephone field holds. */
export function phoneCountryOf(path: string, { values, reader }: DetailsContext): string | undefined {
  const chosen = values[phoneCountryField(path)];
  return reader ? reader.countryOf(values[path] ?? '', chosen) : chosen;
}

/** What the rule of a telephone field depends on: whose number it is, and what is known of those. */
export function phoneContext(path: string, value: string, context: DetailsContext): FieldContext {
  const phoneCountry = phoneCountryOf(path, context);
  const phones = context.reader?.rule(value, phoneCountry);
  return { ...context, ...(phoneCountry && { phoneCountry }), ...(phones && { phones }) };
}
