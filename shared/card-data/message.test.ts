import { expect, it } from 'vitest';
import { askableFields } from '../../test/support/payments/fields.ts';
import { kindOf } from '../checkout/fields/kinds.ts';
import { maskMessage, maskValue } from './message.ts';

const pan = '5555555555554444';
const own = { card: '4111111111111111', security_code: '737' };

it.each([
  ['shopper_phone', '+4915123456783'],
  ['transaction_id', pan],
  ['order_no', '4111111111111111'],
  ['reference', pan],
  ['reference_no', pan],
  ['refund_reference', pan],
  ['transaction_reference', pan],
  ['business_registration_number', '30000000000004'],
  ['personal_id_number', pan],
  ['owner_document_number', pan],
  ['account_number', pan],
  ['document', '36000000000008'],
  ['external_id', pan],
  ['contract_name', pan],
  ['delivery_postal_code', pan],
  ['address_number', pan],
])('the documented %s comes back unaltered', (field, value) => {
  const message = { list: [{ deep: { [field]: value } }], [field]: value };
  expect(maskMessage(message)).toEqual(message);
});

it.each([
  'note',
  'decline_reason',
  'failure_reason',
  'refund_reason',
  'return_message',
  'error_message',
  'result_info',
  'connector',
  'first_name',
  'delivery_firstname',
  'delivery_address',
  'billing_city',
  'owner_name',
  'address_street',
])('card data in %s is masked', (field) => {
  const value = `card ${pan} cvv 947`;
  expect(maskMessage({ [field]: value, list: [{ [field]: value }] })).toEqual({
    [field]: 'card 555555******4444 cvv ***',
    list: [{ [field]: 'card 555555******4444 cvv ***' }],
  });
});

it('card data in what a shopper writes is masked', () => {
  const written = askableFields.filter((path) => ['name', 'line'].includes(kindOf(path) ?? ''));
  const kept = written.map((path) => path.split('.').at(-1) ?? '').filter((field) => maskValue(pan, {}, field) === pan);
  // What these hold is a code or a number.
  expect(kept.sort()).toEqual(['address_number', 'bank_code']);
});

it.each(['service', 'status', 'check_items', 'query_result', 'is3ds', 'antifraud_provider', 'failure_type'])(
  'a card number in %s is masked, whose form the interface leaves open',
  (field) => {
    expect(maskMessage({ list: [{ [field]: `X ${pan}` }] })).toEqual({ list: [{ [field]: 'X 555555******4444' }] });
  },
);

it.each(['recurring_deduction_period', 'recurring_deduction_time', 'note'])('the own code in %s is masked', (field) => {
  expect(maskMessage({ [field]: `9 & 7 3 7 & ${own.card}` }, own)).toEqual({ [field]: '9 & *** & 411111******1111' });
});

it('fields that the interface does not have are masked', () => {
  expect(maskMessage({ acquirer_text: pan, number: Number(pan), raw: Number(pan), cvv: '947', card: pan })).toEqual({
    acquirer_text: '555555******4444',
    number: Number(pan),
    raw: null,
    cvv: '***',
    card: '555555******4444',
  });
});

it('a card under its own field name is masked in any range', () => {
  expect(maskMessage({ card_number: '999999123456', card: '411111******1111' })).toEqual({
    card_number: '999999**3456',
    card: '411111******1111',
  });
});

it('the payment’s own card is taken out of every field and name', () => {
  const value = { a: [{ order_no: `A-${own.card}`, n: Number(own.card), [own.card]: 1 }], transaction_id: pan };
  expect(maskValue(value, own)).toEqual({
    a: [{ order_no: 'A-411111******1111', n: null, '411111******1111': 1 }],
    transaction_id: pan,
  });
});

it('keeps a decimal number unless it is the payment’s own card number', () => {
  const amounts = { rate: -550752449.4790732, fee: 41111111.11111111 };
  expect(maskMessage(amounts)).toEqual(amounts);
  expect(maskMessage(amounts, { card: '4111111111111111' })).toEqual({ ...amounts, fee: null });
});

it.each([
  'security_code',
  'securityCode',
  'Security-Code',
  'verification.value',
  'cvv',
  'CVV2',
  'cvc',
  'cvn2',
  'cvd',
  'csc',
  'cv2',
  'cid',
  'pin',
  'card_cvv',
  'cardCode',
  'codigo_de_seguranca',
])('a security code under the name %s is masked at every depth', (field) => {
  const message = { [field]: '947', list: [{ deep: { [field]: 947 } }], empty: { [field]: '' } };
  const masked = { [field]: '***', list: [{ deep: { [field]: null } }], empty: { [field]: '' } };
  expect(maskMessage(message)).toEqual(masked);
  expect(maskMessage(message, {}, 'anyone')).toEqual(masked);
  expect(maskMessage({ [field]: { value: '947', parts: ['9', '47'] } })).toEqual({
    [field]: { value: '***', parts: ['***', '***'] },
  });
});

it.each(['code', 'postcode', 'swift_code', 'cavv', 'spin', 'status'])('%s names no security code', (field) => {
  expect(maskMessage({ [field]: '947' }, {}, 'anyone')).toEqual({ [field]: '947' });
});

it('masks untrusted text in identifiers too', () => {
  const message = { order_no: pan, list: [{ transaction_id: Number(pan), amount: 12.5 }] };
  expect(maskMessage(message)).toEqual(message);
  expect(maskMessage(message, {}, 'anyone')).toEqual({
    order_no: '555555******4444',
    list: [{ transaction_id: null, amount: 12.5 }],
  });
});

it('of a shop’s order only fields without a fixed form are masked', () => {
  const order = {
    shopper_id: pan,
    shopper_phone: pan,
    items: [{ code: pan, quantity: Number(pan) }],
    token_id: own.card,
  };
  const written = { custom: `${pan} cvv 947`, items: [{ name: `Tea ${pan}` }], person: { address_street: pan } };
  expect(maskMessage(order, own, 'shop')).toEqual(order);
  expect(maskMessage(written, {}, 'shop')).toEqual({
    custom: '555555******4444 cvv ***',
    items: [{ name: 'Tea 555555******4444' }],
    person: { address_street: '555555******4444' },
  });
});
