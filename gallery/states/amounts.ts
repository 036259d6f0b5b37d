import { terms } from './choices.ts';
import { filled, savedCards, session } from './fixtures.ts';
import type { Picture } from './picture.ts';

const trial = session({ amount: '0.00', subscription: { ...terms, contract_amount: '49.90' } });
const check = session({ amount: '0.00' });
const paying = { stage: { name: 'paying' } } as const;

/** Amounts of zero, and of currencies with three decimals. */
export const amountPictures: readonly Picture[] = [
  { name: 'free trial', shows: { view: trial } },
  { name: 'free trial, starting', shows: { view: trial, typed: filled, state: paying } },
  { name: 'free trial, started', shows: { view: { ...trial, status: 'approved', card: '411111******1111' } } },
  { name: 'card check', shows: { view: check } },
  { name: 'card check, saving', shows: { view: check, typed: filled, state: paying } },
  { name: 'card saved', shows: { view: { ...check, status: 'approved', card: '411111******1111' }, hosted: {} } },
  {
    name: 'card check, saved card',
    shows: { view: { ...check, saved_cards: savedCards }, state: { token: 't1' } },
  },
  {
    name: 'card check, confirming',
    shows: { view: { ...check, saved_cards: savedCards }, state: { ...paying, token: 't1' } },
  },
  {
    name: 'card confirmed',
    shows: {
      view: { ...check, saved_cards: savedCards, status: 'approved', card: '411111******1111' },
      state: { token: 't1' },
    },
  },
  {
    name: 'three decimals',
    shows: {
      view: session({
        currency: 'KWD',
        amount: '10.500',
        installment_options: [{ installments: '1' }, { installments: '3', each: '3.667', total: '11.001' }],
        subscription: { ...terms, contract_amount: '4.900' },
      }),
    },
  },
];
