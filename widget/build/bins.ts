import creditCardType from 'credit-card-type';

/** The names of brands in the events for a shop's page, if they differ from credit-card-type's. */
const IDS: Readonly<Record<string, string>> = { 'american-express': 'amex', 'diners-club': 'diners' };

/** Brands whose numbers do not all end in a Luhn digit. */
const WITHOUT_LUHN = ['unionpay', 'hipercard', 'hiper', 'naranja'];
/** Issuers in Argentina and Uruguay whose numbers look like Maestro's and have no Luhn digit. */
const UNCHECKED_PREFIXES = '501080 501081 501082 504997 505874 505878 560718 601030 601073 601933'.split(' ');
const UNCHECKED_MAESTRO = 'maestro, unchecked';

/** The gaps after every four digits. The library lists only those of sixteen digits, also for brands with nineteen. */
const FOURS = [4, 8, 12, 16];

/** The maximum number of digits in a pattern. */
const WIDTH = 8;

/** A brand's numbers by their first eight digits: from `from` to `end`, without `end`. */
type Range = { key: string | undefined; from: number; end: number };

/** The table of brands as browsers load it. `widget/form/card/brand-table.ts` reads it. */
type BinTable = {
  /** A row for each brand, written by `rowOf`. */
  brands: string;
  /** Ranges of first digits, written by `encode`. */
  ranges: string;
};

/** Compiles credit-card-type's patterns into the table that browsers load. Brands are in the order of the library. */
function compileBins(): BinTable {
  const types = creditCardType('').map(({ type }) => type);
  const keys = [...types, UNCHECKED_MAESTRO];
  return { brands: keys.map(rowOf).join(';'), ranges: encode(nest(rangesOf(types)), keys) };
}

/**
 * The row of a brand: name, name and size of the security code, lengths and gaps as digits of base 36, `1` if its numbers have a check
 * digit, and its id unless that is the name in lower case.
 */
function rowOf(key: string): string {
  const type = key === UNCHECKED_MAESTRO ? 'maestro' : key;
  const { niceType: name, lengths, code, gaps } = creditCardType.getTypeInfo(type);
  const shownGaps = gaps.every((gap, index) => gap === FOURS[index]) ? FOURS : gaps;
  const checkDigit = key === type && !WITHOUT_LUHN.includes(type) ? '1' : '';
  const id = IDS[type] ?? type;
  const columns = [name, code.name, code.size, list(lengths), list(shownGaps), checkDigit];
  return [...columns, ...(id === name.toLowerCase() ? [] : [id])].join();
}

function list(numbers: readonly number[]): string {
  return numbers.map((number) => number.toString(36)).join('');
}

/** Splits all numbers at the beginning and end of each pattern, and asks the library for the brand of each range. */
function rangesOf(types: readonly string[]): Range[] {
  const cuts = new Set([0, 10 ** WIDTH]);
  for (const pattern of [
    ...types.flatMap((type) => creditCardType.getTypeInfo(type).patterns),
    ...UNCHECKED_PREFIXES,
  ]) {
    const [first = 0, last = first] = [pattern].flat().map(Number);
    const unit = 10 ** (WIDTH - String(first).length);
    cuts.add(first * unit).add((last + 1) * unit);
  }
  const edges = [...cuts].sort((a, b) => a - b);
  const pieces: Range[] = [];
  for (const [index, from] of edges.slice(0, -1).entries()) {
    const key = keyOf(String(from).padStart(WIDTH, '0'));
    const end = edges[index + 1] ?? from;
    const last = pieces.at(-1);
    if (last && last.key === key) last.end = end;
    else pieces.push({ key, from, end });
  }
  return pieces;
}

function keyOf(digits: string): string | undefined {
  const type = creditCardType(digits)[0]?.type;
  const unchecked = type === 'maestro' && UNCHECKED_PREFIXES.some((prefix) => digits.startsWith(prefix));
  return unchecked ? UNCHECKED_MAESTRO : type;
}

/** Continues a range below a narrower one that interrupts it, which halves the table. */
function nest(pieces: readonly Range[]): Range[] {
  const flat = pieces.map((piece) => ({ ...piece }));
  const nested: Range[] = [];
  for (let interruption = narrowestInterruption(flat); interruption > 0; interruption = narrowestInterruption(flat)) {
    const [outer, inner, rest] = flat.slice(interruption - 1);
    if (!outer || !inner || !rest) break;
    outer.end = rest.end;
    nested.push(inner);
    flat.splice(interruption, 2);
  }
  return [...nested, ...flat].filter(({ key }) => key).sort((a, b) => a.from - b.from || b.end - a.end);
}

/** The index of the narrowest range between two ranges of the same brand; -1 if there is none. */
function narrowestInterruption(flat: readonly Range[]): number {
  const width = (index: number) => (flat[index]?.end ?? 0) - (flat[index]?.from ?? 0);
  return flat.reduce((best, _, index) => {
    const between = index > 0 && index < flat.length - 1 && flat[index - 1]?.key === flat[index + 1]?.key;
    return between && (best < 0 || width(index) < width(best)) ? index : best;
  }, -1);
}

/**
 * Writes each range as the distance from the previous range's start, a comma and the width unless that is one, and the brand's letter: lower
 * case if both numbers count hundreds, upper case if they count ones.
 */
function encode(ranges: readonly Range[], keys: readonly string[]): string {
  let at = 0;
  let code = '';
  for (const { key = '', from, end } of ranges) {
    const distance = from - at;
    const width = end - from;
    const fine = distance % 100 || width % 100;
    const unit = fine ? 1 : 100;
    const letter = String.fromCharCode((fine ? 65 : 97) + keys.indexOf(key));
    code += `${distance / unit}${width === unit ? '' : `,${width / unit}`}${letter}`;
    at = from;
  }
  return code;
}

/** The table of brands. For browsers and tests Vite replaces this module by the compiled table: see `precompiled` in vite.config.ts. */
export const binTable = compileBins();
