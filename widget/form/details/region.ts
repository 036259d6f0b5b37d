/** The country of a locale; undefined for one of none, or of many: `es-419`. */
export function regionOf({ region = '' }: Intl.Locale): string | undefined {
  return /^[A-Z]{2}$/.test(region) ? region : undefined;
}
