import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import vectors from '../vectors/items.json' with { type: 'json' };
import { decodeItems, encodeItems, type Item, ItemsError } from './items.ts';

const item = fc.record({
  name: fc.string({ unit: fc.constantFrom('#', ',', ';', 'a', ' ', 'é', '日') }),
  code: fc.string({ unit: fc.constantFrom('#', ',', ';', 'b', '1') }),
  price: fc
    .integer({ min: 0, max: 1_000_000 })
    .map((cents) => `${Math.floor(cents / 100)}.${`${cents % 100}`.padStart(2, '0')}`),
  quantity: fc.integer({ min: 1, max: 10_000 }),
});

describe('items codec', () => {
  for (const vector of vectors) {
    const title = `${vector.items.length} items: ${vector.items.map(({ name }) => name).join(' | ') || 'none'}`;
    if (vector.error === undefined) {
      it(`writes and reads ${title}`, () => {
        expect(encodeItems(vector.items)).toBe(vector.wire);
        expect(decodeItems(vector.wire ?? '')).toEqual(vector.items);
      });
    } else {
      it(`refuses ${title}: ${vector.error}`, () => {
        expect(() => encodeItems(vector.items)).toThrow(new ItemsError(vector.error));
      });
    }
  }

  it('reads back exactly what it wrote, or refuses to write it', () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 4 }), (items) => {
        const wire = encodeOrRefuse(items);
        if (wire !== undefined) expect(decodeItems(wire)).toEqual(items);
      }),
      { numRuns: 2000 },
    );
  });

  it('rejects wire text whose items do not have four values', () => {
    expect(() => decodeItems('Tea#,#T-1#,#64.95')).toThrow(ItemsError);
    expect(() => decodeItems('Tea#,#T-1#,#64.95#,#2#,#more')).toThrow(ItemsError);
  });

  it('refuses to read a quantity that is no whole number', () => {
    expect(() => decodeItems('Tea#,#T-1#,#64.95#,#1.5')).toThrow(ItemsError);
  });
});

function encodeOrRefuse(items: Item[]): string | undefined {
  try {
    return encodeItems(items);
  } catch (error) {
    expect(error).toBeInstanceOf(ItemsError);
    return undefined;
  }
}
