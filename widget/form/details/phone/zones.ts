import type { MetadataJson } from 'libphonenumber-js/core';

/** Loads what is known of the numbers in one of the world's numbering zones, by the first digit of their calling codes. */
export type Zones = Readonly<Record<string, () => Promise<{ zone: MetadataJson }>>>;

/** All zones. The build cuts libphonenumber's metadata and puts a chunk for each in place of this: see widget/build/phones.ts. */
export const zones: Zones = {};
