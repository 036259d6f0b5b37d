import * as addresses from './address/address-rules.ts';
import { isCountry } from './address/countries.ts';
import type { CountryRules } from './context.ts';
import { documents } from './document/documents.ts';

/** All that is known of countries. */
export const countryRules: Required<CountryRules> = { addresses, documents, isCountry };
