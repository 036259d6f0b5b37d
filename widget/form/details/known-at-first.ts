import type { Known } from '../../../shared/checkout/fields/known.ts';

/** What browsers know of countries before a piece brings more. The build puts it in the place of shared/checkout/fields/known.ts. */
export const known: Known = {
  addressRule: () => ({ order: ['address', 'postal_code', 'city', 'state'] }),
  stateCode: () => undefined,
  writePostalCode: (_, text) => text,
  documents: {},
  // The form lets a shopper choose from those that there are.
  isCountry: () => true,
};
