import creditCardType from 'credit-card-type';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import './brand-table.ts';
import { certainBrand, likelyBrand, possibleBrands } from './brands.ts';

const IDS: Record<string, string> = { 'american-express': 'amex', 'diners-club': 'diners' };
const types = creditCardType('').map(({ type }) => type);

/** The library’s brands for these digits, by our names. */
function libraryBrands(digits: string): string[] {
  return creditCardType(digits).map(({ type }) => IDS[type] ?? type);
}

/** The first eight digits at every border of a pattern of the library, and the numbers before and after it. */
const borders = types
  .flatMap((type) => creditCardType.getTypeInfo(type).patterns)
  .flatMap((pattern) => {
    const [first = 0, last = first] = [pattern].flat();
    const unit = 10 ** (8 - String(first).length);
    return [first * unit, (last + 1) * unit].flatMap((at) => [at - 1, at, at + 1]);
  })
  .filter((at) => at > 0 && at < 1e8)
  .sort((a, b) => a - b)
  .map((at) => String(at).padStart(8, '0'));
const prefixes = [
  ...new Set(borders.flatMap((border) => [1, 2, 3, 4, 5, 6, 7, 8].map((size) => border.slice(0, size)))),
];

/** The brands that a number with these first digits can have, according to the library. */
function brandsOfPrefix(prefix: string): Set<string> {
  const within = borders.filter((border) => border.startsWith(prefix));
  return new Set([prefix.padEnd(8, '0'), prefix.padEnd(8, '9'), ...within].flatMap(libraryBrands));
}

function ids(digits: string): Set<string> {
  return new Set(possibleBrands(digits).map(({ id }) => id));
}

describe('the table of brands agrees with credit-card-type', () => {
  it('on every number around the borders of its patterns', () => {
    for (const border of borders)
      expect([border, certainBrand(border)?.id]).toEqual([border, libraryBrands(border)[0]]);
  });

  it('on random numbers', () => {
    const digits = fc.stringMatching(/^\d{8,19}$/);
    fc.assert(
      fc.property(digits, (number) => {
        expect(likelyBrand(number)?.id).toBe(libraryBrands(number)[0]);
      }),
      { numRuns: 2000 },
    );
  });

  it('on the possible brands of every prefix', () => {
    for (const prefix of prefixes) expect([prefix, ids(prefix)]).toEqual([prefix, brandsOfPrefix(prefix)]);
  });

  it('on lengths, gaps and security codes', () => {
    for (const type of types) {
      const { niceType: name, lengths, gaps, code, patterns } = creditCardType.getTypeInfo(type);
      const digits = [patterns[0]].flat()[0];
      const brand = possibleBrands(`${digits}`).find((candidate) => candidate.name === name);
      expect(brand).toMatchObject({ lengths, code, gaps: expect.arrayContaining(gaps) });
    }
  });
});

describe('a brand', () => {
  it.each([
    ['4111', 'visa'],
    ['55', 'mastercard'],
    ['2720', 'mastercard'],
    ['34', 'amex'],
    ['36', 'diners'],
    ['6011', 'discover'],
    ['3528', 'jcb'],
    ['8171', 'unionpay'],
    ['6799', 'maestro'],
    ['506699', 'elo'],
    ['606282', 'hipercard'],
    ['2200', 'mir'],
    ['9792', 'troy'],
    ['637095', 'hiper'],
    ['589562', 'naranja'],
    ['506100', 'verve'],
  ])('follows from its digits: %s is %s', (digits, id) => expect(certainBrand(digits)?.id).toBe(id));

  it.each(['', '4', '5', '6', '65'])('is not named while several are possible: %j', (digits) =>
    expect(certainBrand(digits)).toBeUndefined(),
  );

  it('is undefined where no brand issues cards', () => {
    expect(certainBrand('9999')).toBeUndefined();
    expect(likelyBrand('9999')).toBeUndefined();
  });

  it('is already the likely one while a longer range may match another', () => {
    expect(certainBrand('650837')?.id).toBe('discover');
    expect(certainBrand('65083700')?.id).toBe('troy');
  });

  it.each(['6200', '606282', '637095', '589562', '501080', '504997', '601933'])(
    'asks no check digit where issuers give none: %s',
    (digits) => expect(likelyBrand(digits)?.checkDigit).toBe(false),
  );

  it.each(['4111', '5555', '3782', '501083', '6799'])('asks for a check digit elsewhere: %s', (digits) =>
    expect(likelyBrand(digits)?.checkDigit).toBe(true),
  );
});
