import { describe, expect, it } from 'vitest';
import { mayHoldTypedCard } from './card-in-text.ts';

const own = { card: '4000001234567899', security_code: '9173' };

describe('a text beside the card', () => {
  it.each([
    'Ada Byron',
    '',
    'Rua da Aurora, 1254, ap. 302',
    '50050-000',
    '987.654.321-00',
    '+55 81 99999-0001',
    'ada+1815@example.com',
    '10-12-1985',
    '14 characters',
  ])('holds no card where it is %j', (text) => {
    expect(mayHoldTypedCard(text, own)).toBe(false);
  });

  it.each([
    '4111111111111111',
    '4111 1111 1111 1111',
    'Ada 4111-1111-1111-1111',
    '4111.1111.1111.1111 Byron',
    '4111 1111 1111 1111 12/30 737',
    '4111111111111111 737',
    '411111111111111112307',
    'apartment 12, 4111 1111 1111 1111',
    '４１１１１１１１１１１１１１１１',
    '٤١١١ ١١١١ ١١١١ ١١١١',
    '४१११११११११११११११ รวี',
    '3782 822463 10005',
    '6304000000000000000 12/30',
  ])('may hold another card where it is %j', (text) => {
    expect(mayHoldTypedCard(text, {})).toBe(true);
  });

  it.each(['4000001234567899', '4000 0012 3456 7899', '4000-00a12b34c567899', '0000123', 'the first are 400000 1'])(
    'holds the card that is paid with where it is %j',
    (text) => {
      expect(mayHoldTypedCard(text, own)).toBe(true);
    },
  );

  it.each(['400000', '7899', '400000******7899'])('may show %s of it', (text) => {
    expect(mayHoldTypedCard(text, own)).toBe(false);
  });

  it('contains the security code alone, not inside another number', () => {
    expect(mayHoldTypedCard('code 9173', own)).toBe(true);
    expect(mayHoldTypedCard('Rua 191735', own)).toBe(false);
  });
});
