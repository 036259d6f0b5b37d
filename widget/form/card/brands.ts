import { binTable } from '../../build/bins.ts';

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

/** The first six digits always suffice to tell the brand, though a range of eight may still make it another one. */
const TELLING_DIGITS = 6;

const brands: Brand[] = binTable.brands.split(';').map((row) => {
  const [name = '', codeName = '', size, lengths, gaps, checkDigit, id = name.toLowerCase()] = row.split(',');
  const code = { name: codeName, size: Number(size) };
  return { id, name, code, lengths: numbers(lengths), gaps: numbers(gaps), checkDigit: !!checkDigit };
});

/** A brand's proper name. */
export function brandName(id: string): string {
  return brands.find((brand) => brand.id === id)?.name ?? id;
}

function numbers(list = ''): number[] {
  return [...list].map((number) => Number.parseInt(number, 36));
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
  if (!digits) return [];
  const padded = (digit: string) => Number(digits.slice(0, 8).padEnd(8, digit));
  const first = padded('0');
  const last = padded('9');
  let from = 0;
  // A bit for each brand, in the order of the table: a shift heeds the lowest five bits of a letter's code, from 1 for an A.
  let possible = 0;
  // Ranges come in ascending order; where two overlap the later one, which is the narrower, counts.
  for (const [, distance, width = 1, letter = ''] of binTable.ranges.matchAll(/(\d+),?(\d+)?(\D)/g)) {
    const unit = letter < 'a' ? 1 : 100;
    from += Number(distance) * unit;
    const end = from + Number(width) * unit;
    const bit = 1 << letter.charCodeAt(0);
    if (from <= first && end > last) possible = bit;
    else if (from <= last && end > first) possible |= bit;
  }
  return brands.filter((_, index) => possible & (2 << index));
}
