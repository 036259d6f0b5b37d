import { binTable } from '../../build/bins.ts';
import { type Brand, knowBrands } from './brands.ts';

const brands: Brand[] = binTable.brands.split(';').map((row) => {
  const [name = '', codeName = '', size, lengths, gaps, checkDigit, id = name.toLowerCase()] = row.split(',');
  const code = { name: codeName, size: Number(size) };
  return { id, name, code, lengths: numbers(lengths), gaps: numbers(gaps), checkDigit: !!checkDigit };
});

function numbers(list = ''): number[] {
  return [...list].map((number) => Number.parseInt(number, 36));
}

function possible(digits: string): Brand[] {
  const padded = (digit: string) => Number(digits.slice(0, 8).padEnd(8, digit));
  const first = padded('0');
  const last = padded('9');
  let from = 0;
  // A bit for each brand, in the order of the table: a shift uses the lowest five bits of a letter's code, from 1 for
  // an A.
  let found = 0;
  // Ranges are in ascending order. If two overlap, the later one, which is narrower, counts.
  for (const [, distance, width = 1, letter = ''] of binTable.ranges.matchAll(/(\d+),?(\d+)?(\D)/g)) {
    const unit = letter < 'a' ? 1 : 100;
    from += Number(distance) * unit;
    const end = from + Number(width) * unit;
    const bit = 1 << letter.charCodeAt(0);
    if (from <= first && end > last) found = bit;
    else if (from <= last && end > first) found |= bit;
  }
  return brands.filter((_, index) => found & (2 << index));
}

knowBrands({ brands, possible });
