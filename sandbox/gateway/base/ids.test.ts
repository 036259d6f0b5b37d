import { expect, test } from 'vitest';
import { specialCards } from '../faults/test-cards.ts';
import { isCardNumber, maskCard } from './ids.ts';

test.each(specialCards)('the test card %s passes Luhn, so that forms accept it', (number) => {
  expect(isCardNumber(number)).toBe(true);
});

test.each(['4111111111111112', '41111111111', '41111111111111111111', 'a111111111111111', ''])(
  '"%s" is no card number',
  (number) => {
    expect(isCardNumber(number)).toBe(false);
  },
);

test('a masked card shows its first six and last four digits', () => {
  expect(maskCard('4111111111111111')).toBe('411111******1111');
  expect(maskCard('6304000000000000000')).toBe('630400*********0000');
});

test('of a text that is no card number nothing is shown', () => {
  expect(maskCard('4111-1111 secret')).toBe('******');
});
