/** What libphonenumber knows of telephone numbers, cut by `phoneZones`. */
declare module 'virtual:phone-zones' {
  type MetadataJson = import('libphonenumber-js/core').MetadataJson;

  /** Loads what is known of the numbers in one of the world's numbering zones, by the first digit of their calling codes. */
  export const zones: Readonly<Record<string, () => Promise<{ zone: MetadataJson }>>>;
  /** Every calling code and the countries that have it, the main one first: `1US,CA 55BR`. */
  export const callingCodes: string;
}
