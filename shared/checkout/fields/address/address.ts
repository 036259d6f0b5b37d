import { remembered } from '../../remembered.ts';
import { type PostalCodeRule, postalCodeRule } from './postal-codes.ts';
import { type StateOption, statesOf } from './states.ts';

export { writePostalCode } from './postal-codes.ts';
export { stateCode } from './states.ts';

/** A part of an address besides its country. */
type AddressPart = 'postal_code' | 'address' | 'city' | 'state';

/** The form of addresses in a country. */
export type AddressRule = {
  /** Undefined in countries without postal codes. */
  postalCode?: PostalCodeRule;
  /** Undefined in countries whose addresses have no state. */
  state?: {
    label: StateLabel;
    required: boolean;
    /** All states; if absent, any text is accepted. */
    options?: readonly StateOption[];
  };
  /** The order in which people fill in an address there. */
  order: readonly AddressPart[];
};

type StateLabel =
  | 'state'
  | 'state_state'
  | 'state_province'
  | 'state_prefecture'
  | 'state_region'
  | 'state_department'
  | 'state_county';

/** The label of a state, by country. Other countries use `state` (state or region). */
const LABELS: readonly (readonly [label: StateLabel, countries: string])[] = [
  ['state_county', 'IE'],
  ['state_department', 'BO CO GT HN NI PE PY SV UY'],
  ['state_prefecture', 'JP'],
  ['state_province', 'AR CA CN CR CU DO EC ES ID IT KR PA PH TH TR VN'],
  ['state_region', 'CL'],
  ['state_state', 'AU BR IN MX MY NG US VE'],
];

/** Countries whose addresses require a state. */
const REQUIRED = 'AU BR CA CO ES IN JP MX US';

/** Countries whose addresses have no state: Google’s libaddressinput has no place for it. */
const NONE =
  'AT BE BG CH CY CZ DE DK FI FR GB GG GR HR HU IL IM IS JE LI LU LV MC MK MT NL NO NZ PL PR PT RO RS SE SG SI SK SM VA ZA';

/** The order of the address fields, by country. Other countries have the city after the postal code. */
const ORDERS: readonly (readonly [order: readonly AddressPart[], countries: string])[] = [
  [['address', 'city', 'state', 'postal_code'], 'AU CA CO GB GG IE IM IN JE US'],
  [['postal_code', 'state', 'city', 'address'], 'CN JP KR TW'],
  // A postal code that determines the street comes before the street.
  [['postal_code', 'address', 'city', 'state'], 'BR'],
];
const CODE_BEFORE_CITY: readonly AddressPart[] = ['address', 'postal_code', 'city', 'state'];

/**
 * The form of addresses in a country (ISO 3166-1, two letters); for an unknown country a form that fits everywhere.
 * Each rule is created once, because it has patterns and long lists and every check needs it.
 */
export const addressRule = remembered((country: string | undefined = ''): AddressRule => {
  const postalCode = postalCodeRule(country);
  const order = forCountry(ORDERS, country) ?? CODE_BEFORE_CITY;
  const has = (part: AddressPart): boolean =>
    (part !== 'postal_code' || postalCode !== undefined) && (part !== 'state' || !lists(NONE, country));
  const options = statesOf(country);
  const state = {
    label: forCountry(LABELS, country) ?? 'state',
    required: lists(REQUIRED, country),
    ...(options && { options }),
  };
  return { ...(postalCode && { postalCode }), ...(has('state') && { state }), order: order.filter(has) };
});

/** The entry of a table for a country. */
function forCountry<Value>(table: readonly (readonly [Value, string])[], country: string): Value | undefined {
  return table.find(([, countries]) => lists(countries, country))?.[0];
}

function lists(countries: string, country: string): boolean {
  return countries.split(' ').includes(country);
}
