import { describe, expect, it } from 'vitest';
import { problem } from '../../../test/support/payments/fields.ts';

describe('a card number in another field', () => {
  const number = '4111 1111 1111 1111';

  it.each([
    ['billing_address', number],
    ['billing_city', `${number} 12/30`],
    ['delivery_district_name', '4111-1111-1111-1111'],
    ['billing_state', number],
    ['billing_postal_code', number],
    ['billing_address', '4111\u00a01111\u00a01111\u00a01111'],
    ['billing_address', 'Card 4111\u202f1111\u20091111\u30001111 12/30'],
    ['billing_address', '4111  1111  1111  1111'],
    ['billing_address', '4111–1111–1111–1111'],
    ['billing_address', '4111 – 1111 – 1111 – 1111'],
    ['billing_address', '4111/1111/1111/1111'],
    ['billing_address', '4111_1111_1111_1111_12'],
    ['billing_address', '4111, 1111, 1111, 1111'],
    ['billing_address', '3782_822463_10005'],
    ['billing_address', '5000 - 4111/1111/1111/1111'],
    ['billing_address', '4111\u200b1111\u200b1111\u200b1111'],
    ['person.document_type', '٤١١١١١١١١١١١١١١١'],
  ])('is not taken: %s', (path, value) => expect(problem(path, value, {}, 'USD')).toEqual({ key: 'card_in_field' }));

  it('is not searched for in documents, e-mail addresses or telephone numbers', () => {
    expect(problem('document', number, {}, 'USD')).toBeUndefined();
    expect(problem('shopper_email', '4111_1111_1111_1111@example.com')).toBeUndefined();
    expect(problem('shopper_phone', number, {}, 'USD')).toEqual({ key: 'phone_invalid' });
  });

  it('is found where a name should be', () => {
    expect(problem('first_name', number)).toEqual({ key: 'name_invalid' });
    expect(problem('delivery_lastname', 'Byron 1815')).toBeUndefined();
    expect(problem('person.social_name', 'ACME 11.222.333/0001-81')).toBeUndefined();
  });

  it('is not seen in other long numbers', () => {
    // Each ends in a card's check digit but the last: of no brand, of a telephone, too long.
    const rightOnes = [
      'CNPJ 11222363000198',
      'Tel. +9 4222222222222',
      'Box 41111111111111111115',
      'Parcel 4111111111111112',
    ];
    // Their digits in a row are a card's, but no person writes one so.
    rightOnes.push('Rua 41, 111, 111111, 11111', '+49 4111/1111/1111/1111', 'Av. 4111 - 1111/11 - 111111');
    rightOnes.push('0000000000000');
    for (const value of rightOnes) expect(problem('billing_address', value, {}, 'USD')).toBeUndefined();
    expect(problem('document', '11222363000198', {}, 'USD')).toBeUndefined();
  });
});
