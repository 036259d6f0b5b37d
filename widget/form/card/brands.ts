/** The form's data about a card brand. */
export type Brand = {
  /** One of visa, mastercard, amex, diners, discover, jcb, unionpay, maestro, elo, hipercard, mir, troy, hiper, verve, naranja. */
  id: string;
  name: string;
  /** The numbers of digits after which a space is shown. */
  gaps: readonly number[];
  lengths: readonly number[];
  code: { name: string; size: number };
  /** Whether a number with these digits must end in a Luhn check digit. */
  checkDigit: boolean;
};

/**
 * All brands, and those that are possible for a number with these first digits (at least one), the most likely first.
 */
type Brands = { brands: readonly Brand[]; possible(digits: string): Brand[] };

/** Six digits are always enough to determine the brand, although a range of eight may still change it. */
const TELLING_DIGITS = 6;

let known: Brands = { brands: [], possible: () => [] };

/** Sets the brands. The form accepts input before that: their table (`brand-table.ts`) is loaded with the flow. */
export function knowBrands(brands: Brands): void {
  known = brands;
}

/** A brand's name; its id while the brands are not loaded. */
export function brandName(id: string): string {
  return known.brands.find((brand) => brand.id === id)?.name ?? id;
}

/** The most likely brand of a number with these digits; undefined if there is none. */
export function likelyBrand(digits: string): Brand | undefined {
  return possibleBrands(digits)[0];
}

/** The brand of a number with these digits; undefined while several are possible. */
export function certainBrand(digits: string): Brand | undefined {
  const [likely, ...others] = possibleBrands(digits);
  return digits.length < TELLING_DIGITS && others.some(({ id }) => id !== likely?.id) ? undefined : likely;
}

/** Every possible brand of a number with these first digits, the most likely first. */
export function possibleBrands(digits: string): Brand[] {
  return digits ? known.possible(digits) : [];
}
