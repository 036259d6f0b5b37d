import { countryOf } from '../../../shared/checkout/fields/address/country.ts';
import type { FieldContext } from '../../../shared/checkout/fields/context.ts';
import { digitsOf } from '../../../shared/checkout/fields/digits.ts';
import type { CheckoutModel } from '../model.ts';
import { addressPart, stateOf } from './address/address.ts';
import { isSame, offersSame, sameDelivery } from './address/delivery.ts';
import { alike } from './alike.ts';
import { askedPaths } from './asked.ts';
import { homeName } from './phone/phone.ts';
import { regionOf } from './region.ts';

const PHONE = 'shopper_phone';

/** No card's number has fewer digits. */
const MIN_CARD_DIGITS = 12;

/** Address by address: a country that nobody chose is the one above it, or the likeliest. */
const COUNTRIES = ['billing_country', 'delivery_country', 'person.address_country'];

/**
 * What the rules of fields depend on. Its values are those that the fields hold, as far as they are known: what was typed, the
 * likeliest country where none was chosen, and for a delivery the billing address where it is the same.
 */
export function contextOf(checkout: CheckoutModel): FieldContext {
  const { state, platform } = checkout;
  const asked = askedPaths(state);
  const base = { currency: state.view.currency, today: dayOf(platform.now()) };
  const values: Record<string, string> = { ...state.values };
  const likely = likelyCountry(checkout);
  for (const path of COUNTRIES.filter((country) => asked.has(country) && !values[country])) {
    values[path] = values.billing_country || likely || '';
  }
  if (offersSame(asked) && isSame(state)) Object.assign(values, sameDelivery(state, values, asked));
  for (const path of asked) {
    values[path] ||= values[alike(path, asked) ?? ''] ?? '';
    if (addressPart(path)?.part === 'state') values[path] = stateOf(values[path], countryOf(path, { ...base, values }));
  }
  if (asked.has(PHONE)) values[homeName(PHONE)] ||= countryOf(PHONE, { ...base, values }) ?? likely ?? '';
  const card = state.method === 'card' && !state.token ? digitsOf(state.values.card ?? '') : '';
  return { ...base, values, ...(card.length >= MIN_CARD_DIGITS && { card }) };
}

/** Where a shopper of whom nothing is known most likely lives: where the order's currency is paid with, or their language spoken so. */
export function likelyCountry({ state, boot }: CheckoutModel): string | undefined {
  const context = { values: {}, currency: state.view.currency, today: '' };
  return countryOf('shopper_phone', context) ?? regionOf(new Intl.Locale(boot.locale));
}

/** The day where the shopper is, `YYYY-MM-DD`. */
function dayOf(now: Date): string {
  const pad = (number: number) => String(number).padStart(2, '0');
  return `${now.getFullYear()}-${pad(now.getMonth() + 1)}-${pad(now.getDate())}`;
}
