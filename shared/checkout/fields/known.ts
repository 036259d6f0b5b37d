import * as addresses from './address/address-rules.ts';
import { isCountry } from './address/country-codes.ts';
import { documents } from './document/documents.ts';

/** What the rules know of countries. */
export type Known = typeof addresses & {
  documents: typeof documents;
  isCountry: typeof isCountry;
};

/**
 * Everything. In browsers it is nothing at first: what a form asks for is loaded with its fields (widget/form/details/pieces),
 * because most forms need little of it. What is not known passes.
 */
export const known: Known = { ...addresses, documents, isCountry };
