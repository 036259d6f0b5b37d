import type { MessageKey } from '../../widget/locales/messages.ts';
import { bankAccount, documents, filled, identity, session } from './fixtures.ts';
import type { Picture } from './picture.ts';

const addresses = session({ collect: ['billing_address', 'delivery_address'] });

/** Countries whose addresses have other words or another order, two in each picture. */
const countries = { BR: 'US', GB: 'IN', JP: 'CA', CL: 'CO', IE: 'KE' };

const ada = {
  shopper_email: 'ada@gmial.com',
  shopper_phone: '(11) 96123-4567',
  document: '123.456.789-09',
  birth_date: '10-12-1985',
  billing_country: 'BR',
  billing_postal_code: '01310-100',
  billing_address: 'Avenida Paulista 1000',
  billing_city: 'São Paulo',
  billing_state: 'SP',
};

/** Faults that the form's own rules find, with the values that cause them. */
const mistakes: readonly (readonly [field: string, value: string, key: MessageKey, values?: Record<string, string>])[] =
  [
    ['shopper_email', 'ada', 'email_invalid'],
    ['shopper_phone', '(11) 96', 'phone_invalid'],
    ['document', '123.456', 'document_incomplete'],
    ['birth_date', '-12-1985', 'date_incomplete'],
    ['billing_postal_code', '013', 'postal_code_invalid', { example: '01310-100' }],
    ['billing_address', '4111 1111 1111 1111', 'card_in_field'],
    ['billing_city', 'São Paulo '.repeat(4), 'too_long'],
  ];
const further: readonly (readonly [field: string, value: string, key: MessageKey, values?: Record<string, string>])[] =
  [
    ['document', '123.456.789-00', 'document_invalid'],
    ['birth_date', '31-02-1985', 'date_invalid'],
    ['person.phone_number', '9a', 'digits_only'],
    ['person.net_monthly_average_income', 'much', 'amount_invalid', { example: '2500.00' }],
  ];
const account = 'person.documents.labels.bank_account';

function wrong(list: typeof mistakes) {
  return {
    values: Object.fromEntries(list.map(([field, value]) => [field, value])),
    errors: Object.fromEntries(list.map(([field, , key, values]) => [field, { key, ...(values && { values }) }])),
  };
}

const contact = session({ collect: ['email', 'phone', 'document', 'birth_date'] });
const upload = { view: session({ methods: [documents] }), state: { method: 'apm DOCUMENTS' } };
const held = {
  'person.documents.file_data': 'A'.repeat(400_000),
  'person.documents.file_data.name': 'identidade-frente.jpg',
};
const fileWrong = (key: MessageKey) => ({
  ...upload.state,
  errors: { 'person.documents.file_data': { key, values: { size: '5 MB' } } },
});

/** The fields besides the card's, in their states. */
export const detailPictures: readonly Picture[] = [
  ...Object.entries(countries).map(([billing, delivery]) => ({
    name: `addresses in ${billing} and ${delivery}`,
    shows: {
      view: addresses,
      state: {
        values: { ...filled, billing_country: billing, delivery_country: delivery, delivery_same: 'no' },
      },
    },
  })),
  {
    name: 'contact and addresses, filled',
    shows: {
      view: session({ collect: [...contact.collect, 'billing_address', 'delivery_address'] }),
      state: { values: { ...filled, ...ada } },
    },
  },
  {
    name: 'another recipient, nothing filled in',
    shows: { view: session({ collect: ['delivery_address'] }), sent: true },
  },
  {
    name: 'a document of a country that we do not know',
    shows: { view: session({ currency: 'KES', collect: ['document'] }), state: { values: filled } },
  },
  { name: 'an address that may be mistyped', shows: { view: contact, typed: { shopper_email: 'ada@gmial.com' } } },
  {
    name: 'details wrong',
    shows: { view: session({ collect: [...contact.collect, 'billing_address'] }), state: wrong(mistakes) },
  },
  {
    name: 'details wrong otherwise',
    shows: {
      view: session({ methods: [identity], collect: ['document', 'birth_date'] }),
      state: { method: 'apm IDENTITY', ...wrong(further) },
    },
  },
  {
    name: 'a birth date to come',
    shows: { view: contact, state: wrong([['birth_date', '10-12-2045', 'date_future']]) },
  },
  {
    name: 'a birth date long past',
    shows: { view: contact, state: wrong([['birth_date', '10-12-1845', 'date_far']]) },
  },
  {
    name: 'a method’s own fields',
    shows: { view: session({ methods: [identity] }), state: { method: 'apm IDENTITY' } },
  },
  { name: 'a document to hand in', shows: upload },
  { name: 'a document handed in', shows: { ...upload, state: { ...upload.state, values: held } } },
  { name: 'a document of the wrong kind', shows: { ...upload, state: fileWrong('file_kind') } },
  { name: 'a document too large', shows: { ...upload, state: fileWrong('file_large') } },
  { name: 'a document unreadable', shows: { ...upload, state: fileWrong('file_unreadable') } },
  {
    name: 'a bank account',
    shows: {
      view: session({ methods: [bankAccount] }),
      state: {
        method: 'apm ACCOUNT',
        ...wrong([
          [`${account}.currency`, 'R$', 'code_form_invalid', { count: '3' }],
          ['person.documents.file_url', 'example.com', 'address_web_invalid'],
        ]),
      },
    },
  },
];
