import { choicePictures, installments, terms } from './choices.ts';
import { detailPictures } from './details.ts';
import { allMethods, boleto, card, filled, home, pix, savedCards, session, transfer } from './fixtures.ts';
import type { Picture } from './picture.ts';

const everything = session({
  methods: [card, pix],
  saved_cards: savedCards,
  installment_options: installments,
  subscription: terms,
  collect: ['email', 'phone', 'document', 'birth_date', 'billing_address', 'delivery_address'],
});

export const methodPictures: readonly Picture[] = [
  { name: 'two methods', shows: { view: session({ methods: [card, pix] }) } },
  { name: 'five methods', shows: { view: session({ methods: allMethods }), state: { method: 'apm PIX' } } },
  {
    name: 'fields of a method',
    shows: { view: session({ methods: [card, boleto] }), state: { method: 'apm BOLETO' } },
  },
  {
    name: 'a method’s fields missing',
    shows: { view: session({ methods: [card, transfer] }), state: { method: 'apm PSE' }, sent: true },
  },
  {
    name: 'a method’s address',
    shows: { view: session({ methods: [card, home] }), state: { method: 'apm OXXO' } },
  },
  ...choicePictures,
  {
    name: 'contact and addresses',
    shows: {
      view: session({ collect: everything.collect }),
      typed: { ...filled, shopper_email: 'ada' },
    },
  },
  { name: 'everything', shows: { view: everything } },
  ...detailPictures,
  { name: 'everything, nothing filled in', shows: { view: everything, sent: true } },
];
