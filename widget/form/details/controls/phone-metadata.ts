import type { MetadataJson } from 'libphonenumber-js/core';

/** Loads what is known of the numbers in one of the world's numbering zones, by the first digit of their calling codes. */
export type Zones = Readonly<Record<string, () => Promise<{ zone: MetadataJson }>>>;

// The build cuts libphonenumber's metadata and puts this in its place: see widget/build/phones.ts.

/** All zones, a chunk for each. */
export const zones: Zones = {};
/** Every calling code and the countries that have it, the main one first: `1US,CA 55BR`. */
export const callingCodes: string = '';
