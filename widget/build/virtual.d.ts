/** libphonenumber's metadata, split by `phoneZones`. */
declare module 'virtual:phone-zones' {
  type MetadataJson = import('libphonenumber-js/core').MetadataJson;

  /** Loads the metadata of a zone, by the first digit of its calling codes. */
  export const zones: Readonly<Record<string, () => Promise<{ zone: MetadataJson }>>>;
  /** Every calling code with its countries, the main one first: `1US,CA 55BR`. */
  export const callingCodes: string;
}
