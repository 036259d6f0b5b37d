import { describe, expect, it } from 'vitest';
import { maskPan, redactText, redactValue, safeMaskedCard } from './redact.ts';

const own = { card: '4111111111111111', security_code: '737' };

describe('taking card data out', () => {
  it('shows first six and last four of a card number', () => {
    expect(maskPan('4111111111111111')).toBe('411111******1111');
    expect(maskPan('378282246310005')).toBe('378282*****0005');
  });

  it('removes the payment’s own card and code, however the card is spaced', () => {
    expect(redactText('card 4111 1111-1111 1111 code 737.', own)).toBe('card 411111******1111 code ***.');
    expect(redactText('x4111111111111111y', own)).toBe('x411111******1111y');
  });

  it('leaves a code alone that is part of a longer number', () => {
    expect(redactText('ref 17370', own)).toBe('ref 17370');
  });

  it('removes any other run of digits that passes Luhn', () => {
    expect(redactText('5555555555554444 and 1234567890123456')).toBe('555555******4444 and 1234567890123456');
  });

  it('goes through values of any depth, names included', () => {
    const value = { a: [{ b: '4111111111111111', n: 4111111111111111 }], '4111111111111111': 1 };
    expect(JSON.stringify(redactValue(value, own))).not.toContain('4111111111111111');
  });

  it('keeps identifiers that pass Luhn by chance, but never the own card', () => {
    const answer = { transaction_id: '5555555555554444', order_no: '4111111111111111', note: '5555555555554444' };
    expect(redactValue(answer, own)).toEqual({
      transaction_id: '5555555555554444',
      order_no: '411111******1111',
      note: '555555******4444',
    });
  });

  it('takes the gateway’s masked card only if it really is masked', () => {
    expect(safeMaskedCard('411111******1111', own)).toBe('411111******1111');
    expect(safeMaskedCard('4111111111111111', own)).toBe('411111******1111');
    expect(safeMaskedCard('4111111111**1111', own)).toBe('411111******1111');
    expect(safeMaskedCard('', {})).toBeUndefined();
  });
});
