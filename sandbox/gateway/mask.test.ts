import { expect, test } from 'vitest';
import { maskMessage, maskText } from './mask.ts';

test.each(['4111111111111111', '4111 1111 1111 1111', '4111-1111-1111-1111'])('%s is masked in a text', (card) => {
  expect(maskText(`card=${card}.`)).toBe('card=411111******1111.');
});

test('digits that cannot be a card number stay', () => {
  expect(maskText('4111111111111112 and 41111111111111111111')).toBe('4111111111111112 and 41111111111111111111');
});

test('no part of a message keeps a card number or a security code', () => {
  const card = '4111111111111111';
  const message = {
    card,
    security_code: '737',
    note: `pay with ${card}`,
    custom: 4111111111111111,
    cart_items: [{ basic_item_data: { name: card, security_code: 737 } }],
    cvv: '737',
    [card]: 'x',
  };
  const kept = JSON.stringify(maskMessage(message, ['card', 'security_code', 'note', 'custom', 'cart_items']));
  expect(kept).not.toMatch(/4111111111111111|737/);
  expect(kept).toContain('"card":"411111******1111"');
  expect(kept).toContain('"security_code":"***"');
});

test('a long text is cut', () => {
  expect(maskMessage({ note: 'n'.repeat(5000) }, ['note'])).toEqual({ note: `${'n'.repeat(400)}… (5000 characters)` });
});
