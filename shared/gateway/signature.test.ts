import { describe, expect, it } from 'vitest';
import vectors from '../vectors/signing.json' with { type: 'json' };
import { canonicalMessage, sameText, sign } from './signature.ts';

describe('signature', () => {
  for (const vector of vectors) {
    it(`signs the vector "${vector.name}"`, () => {
      expect(canonicalMessage(vector.message)).toBe(vector.canonical);
      expect(sign(vector.message, vector.secret)).toBe(vector.encryption_data);
    });
  }

  it('changes with any field and with the secret', () => {
    const message = { order_no: 'A-1', amount: '129.90' };
    expect(sign({ ...message, amount: '129.91' }, 'secret')).not.toBe(sign(message, 'secret'));
    expect(sign(message, 'another')).not.toBe(sign(message, 'secret'));
  });

  it('refuses half a surrogate pair, which is no Unicode text', () => {
    expect(() => sign({ note: '\ud800' }, 'secret')).toThrow();
  });

  it('compares texts of any length', () => {
    expect(sameText('abc', 'abc')).toBe(true);
    expect(sameText('abc', 'abd')).toBe(false);
    expect(sameText('abc', 'abcd')).toBe(false);
    expect(sameText('', 'a')).toBe(false);
  });
});
