import { expect, test } from 'vitest';
import { maskAddress, maskMessage, maskText } from './mask.ts';

test.each(['4111111111111111', '4111 1111 1111 1111', '4111-1111-1111-1111'])('%s is masked in a text', (card) => {
  expect(maskText(`card=${card}.`)).toBe('card=411111******1111.');
});

test('no part of a message keeps a card number or security code', () => {
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

test.each(['cvv', 'cvc2', 'csc', 'securitycode', 'security_code', 'verification_value'])(
  'a code is masked by the name %s wherever it stands',
  (name) => {
    const message = { items: [{ deep: { [name]: '737', amount: '1.00' } }] };
    expect(maskMessage(message, ['items'])).toEqual({ items: [{ deep: { [name]: '***', amount: '1.00' } }] });
  },
);

test.each(['card', 'pan', 'card_number', 'cardno'])('the name %s masks a card even if it fails Luhn', (name) => {
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

const own = {
  transaction_id: '00000000000000000000',
  refund_reference_id: '00000000000000000000-01',
  trades: '00000000000000000000,12345678901234567890',
  transaction_date: '20261121000002',
  refund_date: '20261121000002',
  amount: '9999999999990.00',
  refund_amount: '0000000000000.00',
  request_id: '00000000-0000-4000-8000-000000000000',
  recurring_id: 'R000000000000',
};
test('our own identifiers, dates and amounts stay unmasked though they pass Luhn', () => {
  expect(maskMessage(own, Object.keys(own))).toEqual(own);
  expect(maskMessage({ items: [own] }, ['items'])).toEqual({ items: [own] });
});

test.each(Object.keys(own))('a card in %s is masked all the same', (name) => {
  expect(JSON.stringify(maskMessage({ [name]: '5555555555554444' }, [name]))).not.toContain('5555555555554444');
});

test('a test card or the payment’s card is masked inside identifiers', () => {
  const card = '5555555555554444';
  const message = { card, transaction_id: `${card}0000`, items: [{ transaction_id: '00004111111111111111' }] };
  expect(maskMessage(message, Object.keys(message))).toEqual({
    card: '555555******4444',
    transaction_id: '555555******44440000',
    items: [{ transaction_id: '0000411111******1111' }],
  });
});

test.each(['CVC2', 'securityCode', 'security-code', 'Card No'])('of %s neither name nor value is kept', (name) => {
  const kept = JSON.stringify(maskMessage({ items: [{ deep: { [name]: '737' } }], [name]: '737' }, ['items']));
  expect(kept).not.toContain('737');
  expect(kept).not.toContain(name);
});

test('an unknown field name is kept only if it looks like one', () => {
  const message = { 'cvv 97531': 'x', cvv_97531: 'x', items: [{ 'Code 97531': '97531', lastLogin_ip: '127.0.0.1' }] };
  expect(maskMessage(message, ['items'])).toEqual({
    '(a name that is no field)': '(not a field of this operation)',
    cvv_97531: '(not a field of this operation)',
    items: [{ '(a name that is no field)': '(not a field of this operation)', lastLogin_ip: '127.0.0.1' }],
  });
});
