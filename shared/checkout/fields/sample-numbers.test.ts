import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { context } from '../../../test/support/payments/fields.ts';
import { sampleNumbers, TEST_CARDS } from '../../../test/support/payments/sample-numbers.ts';
import { fieldProblem } from './rules.ts';

const DOCUMENTS = ['document', 'person.document_number', 'person.documents.labels.bank_account.owner_document_number'];
const ADDRESSES = ['billing_address', 'billing_city', 'delivery_street_name', 'person.address_complement'];
const NAMES = ['first_name', 'delivery_lastname', 'person.social_name'];
const NO_CARD_LOOKED_FOR = [...DOCUMENTS, 'shopper_phone', 'person.phone_number', 'shopper_id'];

const problem = (path: string, value: string, currency: string, card?: string) =>
  fieldProblem(path, value, { ...context({}, currency), ...(card && { card }) });

it.each(sampleNumbers)('$country: $value is taken as $path', ({ path, value, currency }) => {
  for (const name of path === 'document' ? DOCUMENTS : [path]) expect(problem(name, value, currency)).toBeUndefined();
});

it('no document, telephone number or e-mail address is mistaken for a card', () => {
  const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 13, maxLength: 19 });
  fc.assert(
    fc.property(
      fc.oneof(digits, fc.constantFrom(...TEST_CARDS)),
      fc.constantFrom('USD', 'BRL', 'ZAR'),
      (number, currency) => {
        for (const path of NO_CARD_LOOKED_FOR) expect(problem(path, number, currency)?.key).not.toBe('card_in_field');
        expect(problem('shopper_email', `${number}@example.com`, currency)).toBeUndefined();
      },
    ),
  );
});

describe.each(TEST_CARDS)('the test card %s', (card) => {
  const grouped = card.replace(/\d{4}(?=\d)/g, '$& ');

  it('is refused in any field while it is the typed card', () => {
    for (const text of [card, grouped, `no. ${grouped.replaceAll(' ', '-')} 12/30`]) {
      for (const path of [...NO_CARD_LOOKED_FOR, 'shopper_email', 'shopper_level', ...ADDRESSES]) {
        expect(problem(path, text, 'USD', card), path).toEqual({ key: 'card_in_field' });
      }
      for (const path of NAMES) expect(problem(path, text, 'USD', card), path).toEqual({ key: 'name_invalid' });
    }
  });

  it('is refused in names and addresses whichever card is typed', () => {
    for (const text of [card, grouped, `${grouped} 12/30`]) {
      for (const path of ADDRESSES) expect(problem(path, text, 'USD'), path).toEqual({ key: 'card_in_field' });
      for (const path of NAMES) expect(problem(path, text, 'USD'), path).toEqual({ key: 'name_invalid' });
    }
  });
});
