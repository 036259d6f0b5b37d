import { expect, test } from 'vitest';
import { maskAddress, maskMessage, maskText } from './mask.ts';

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

test.each(['cvv', 'CVC2', 'csc', 'securityCode', 'security-code', 'verification_value'])(
  'a code is masked by the name %s wherever it stands',
  (name) => {
    const message = { items: [{ deep: { [name]: '737', amount: '1.00' } }] };
    expect(maskMessage(message, ['items'])).toEqual({ items: [{ deep: { [name]: '***', amount: '1.00' } }] });
  },
);

test.each(['card', 'pan', 'card_number', 'cardNo'])('a card is masked by the name %s even if it fails Luhn', (name) => {
  const message = { items: [{ [name]: '4111111111111112' }, { [name]: 4111111111111112 }] };
  expect(maskMessage(message, ['items'])).toEqual({ items: [{ [name]: '411111******1112' }, { [name]: '******' }] });
});

test('a card that came masked stays as it is', () => {
  expect(maskMessage({ card: '411111******1111' }, ['card'])).toEqual({ card: '411111******1111' });
});

test.each([
  ['http://127.0.0.1:8080/notify/payment/cs_1/TOKEN', 'http://127.0.0.1:8080/notify/payment/cs_1/***'],
  ['https://user:TOKEN@shop.example/hook?key=TOKEN#TOKEN', 'https://shop.example/***?***'],
  ['https://shop.example/', 'https://shop.example/'],
  ['TOKEN', '***'],
])('the address %s is shown as %s', (address, shown) => {
  expect(maskAddress(address)).toBe(shown);
  expect(maskMessage({ notify_url: address }, ['notify_url'])).toEqual({ notify_url: shown });
});
