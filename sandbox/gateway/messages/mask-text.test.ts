import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cpuMs } from '../../../test/support/time/cpu-time.ts';
import { specialCards } from '../faults/test-cards.ts';
import { maskKnownCards, maskText } from './mask.ts';

test.each([
  ['4111111111111111', '411111******1111'],
  ['4111 1111 1111 1111', '411111******1111'],
  ['4111-1111-1111-1111', '411111******1111'],
  ['4111.1111.1111.1111', '411111******1111'],
  ['4111\u00a01111\u00a01111\u00a01111', '411111******1111'],
  ['4111\n1111\r\n1111\t1111', '411111******1111'],
  ['4111,1111,1111,1111', '411111******1111'],
  ['4111/1111_1111/1111', '411111******1111'],
  ['card=4111111111111111.', 'card=411111******1111.'],
  ['x4111111111111111y', 'x411111******1111y'],
])('%j is masked as %j', (text, masked) => {
  expect(maskText(text)).toBe(masked);
});

const besideOthers = [
  'A-1-4111111111111111',
  '7 4111 1111 1111 1111',
  '4111 1111 1111 1111 737',
  '41111111111111110000',
  '1 4111111111111111',
  '4111111111111111 12/30',
  '4111111111111111-1',
  '4111111111111111 4111111111111111',
];
test.each(besideOthers)('in %j no card can be read, whatever stands beside it', (text) => {
  expect(maskText(text).replace(/\D/g, '')).not.toContain('4111111111111111');
  expect(maskText(text)).toMatch(/\*{5}/);
});

test.each(['123456789012', '12.00 13.00', '2026-11-21 10:00', '+55 11 91234', 'v1.2.3'])('%j stays', (text) => {
  expect(maskText(text)).toBe(text);
});

const separator = fc.constantFrom('', '', ' ', '\u00a0', '.', ',', '/', '_', '-', '\n', '\r\n', '\t', '\u2009', '–');
const noise = fc
  .array(fc.tuple(fc.constantFrom(...'0123456789'), separator), { maxLength: 12 })
  .map((parts) => parts.flat().join(''));
const written = fc.constantFrom(...specialCards).chain((card) =>
  fc.array(separator, { minLength: card.length, maxLength: card.length }).map((between) => ({
    card,
    text: [...card].map((digit, at) => `${digit}${between[at]}`).join(''),
  })),
);

test('a card is masked among any digits and separators', () => {
  fc.assert(
    fc.property(noise, written, noise, (before, { card, text }, after) => {
      expect(maskText(`${before}${text}${after}`).replace(/\D/g, '')).not.toContain(card);
    }),
    { numRuns: 2000 },
  );
});

test('two megabytes of digits are masked in little time', () => {
  const took = cpuMs(() => {
    maskText('4111 1111 '.repeat(200_000));
    maskText('1 '.repeat(1_000_000));
  });
  expect(took).toBeLessThan(5000);
});

test('known cards alone are masked where other digits are ours', () => {
  const cards = ['4111111111111111', '5555555555554444'];
  expect(maskKnownCards('2026-4111 1111 1111 1111', cards)).toBe('2026-411111******1111');
  expect(maskKnownCards('00004111111111111111', cards)).toBe('0000411111******1111');
  expect(maskKnownCards('20261122000000000000', cards)).toBe('20261122000000000000');
});
