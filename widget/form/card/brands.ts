import { binTable } from './bin-table.ts';
import type { Brand } from './brand.ts';

/** The first six digits always suffice to tell the brand, though a range of eight may still make it another one. */
const TELLING_DIGITS = 6;

/** A brand's numbers by their first eight digits: from `from` up to but without `end`; `brand` is its place in the table. */
type Range = { brand: number; from: number; end: number };

const brands: Brand[] = binTable.brands.split(';').map((row) => {
  const [id = '', name = '', codeName = '', size, lengths, gaps, checkDigit] = row.split(',');
  const code = { name: codeName, size: Number(size) };
  return { id, name, code, lengths: numbers(lengths), gaps: numbers(gaps), checkDigit: !!checkDigit };
});

function numbers(list = ''): number[] {
  return list.split('.').map(Number);
}

/** Ranges in ascending order; where two overlap the later one, which is the narrower, counts. */
const ranges: Range[] = [];
for (const [, letter = '', distance, width = 1] of binTable.ranges.matchAll(/(\D)(\d+)(?:\.(\d+))?/g)) {
  const code = letter.charCodeAt(0);
  const unit = code < 97 ? 1 : 100;
  const from = (ranges.at(-1)?.from ?? 0) + Number(distance) * unit;
  ranges.push({ brand: (code - 65) % 32, from, end: from + Number(width) * unit });
}

/** The brand that these digits most likely belong to; undefined when there is none. */
export function likelyBrand(digits: string): Brand | undefined {
  return possibleBrands(digits)[0];
}

/** The brand that these digits belong to; undefined while more than one is still possible. */
export function certainBrand(digits: string): Brand | undefined {
  const [likely, ...others] = possibleBrands(digits);
  return digits.length >= TELLING_DIGITS || others.every(({ id }) => id === likely?.id) ? likely : undefined;
}

/** Every brand that a number with these first digits can belong to, the most likely one first. */
export function possibleBrands(digits: string): Brand[] {
  if (!digits) return [];
  const first = digits.slice(0, 8);
  const from = Number(first.padEnd(8, '0'));
  const end = from + 10 ** (8 - first.length);
  let possible: number[] = [];
  for (const range of ranges) {
    if (range.from >= end || range.end <= from) continue;
    if (range.from <= from && range.end >= end) possible = [];
    possible.push(range.brand);
  }
  return brands.filter((_, brand) => possible.includes(brand));
}
