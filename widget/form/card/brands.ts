/** What the form needs to know of a card's brand. */
export type Brand = {
  /** One of visa, mastercard, amex, diners, discover, jcb, unionpay, maestro, elo, hipercard, mir, troy, hiper, verve, naranja. */
  id: string;
  name: string;
  /** After how many digits a space is shown. */
  gaps: readonly number[];
  lengths: readonly number[];
  code: { name: string; size: number };
  /** Whether a number with these digits must end in a Luhn check digit. */
  checkDigit: boolean;
};

/** All brands, and those that a number with these first digits (at least one) can belong to, the most likely one first. */
type Brands = { brands: readonly Brand[]; possible(digits: string): Brand[] };

/** The first six digits always suffice to tell the brand, though a range of eight may still make it another one. */
const TELLING_DIGITS = 6;

let known: Brands = { brands: [], possible: () => [] };

/** Makes the brands known. The form can be typed into before: their table (`brand-table.ts`) comes with the flow. */
export function knowBrands(brands: Brands): void {
  known = brands;
}

/** A brand's proper name; its id while the brands are not known. */
export function brandName(id: string): string {
  return known.brands.find((brand) => brand.id === id)?.name ?? id;
}

/** The brand that these digits most likely belong to; undefined when there is none. */
export function likelyBrand(digits: string): Brand | undefined {
  return possibleBrands(digits)[0];
}

/** The brand that these digits belong to; undefined while more than one is still possible. */
export function certainBrand(digits: string): Brand | undefined {
  const [likely, ...others] = possibleBrands(digits);
  return digits.length < TELLING_DIGITS && others.some(({ id }) => id !== likely?.id) ? undefined : likely;
}

/** Every brand that a number with these first digits can belong to, the most likely one first. */
export function possibleBrands(digits: string): Brand[] {
  return digits ? known.possible(digits) : [];
}
