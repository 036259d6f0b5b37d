import { card, filled, manyBanks, manyMethods, savedCards, session } from './fixtures.ts';
import type { Picture } from './picture.ts';

export const terms = {
  contract_name: 'Tea club',
  interval: 'month',
  interval_count: '3',
  billing_cycle: 4,
  promotion_cycle: 1,
  contract_start: '2028-07-01',
  contract_end: '2029-06-30',
};

export const installments = [
  { installments: '1', total: '129.90' },
  { installments: '3', each: '43.30', total: '129.90' },
  { installments: '6', each: '22.95', total: '137.70' },
  { installments: '12', each: '12.15' },
];

const manyPlans = ['1', '2', '3', '4', '5', '6', '10', '12'].map((count, index) => ({
  installments: count,
  total: `${129 + index}.90`,
}));

const ofMany = session({ methods: manyMethods });
const ofBanks = session({ methods: [card, manyBanks] });
const ofFewBanks = session({ methods: [card, { ...manyBanks, banks: manyBanks.banks.slice(0, 50) }] });
const byTransfer = { method: 'apm TEF' };
const club = { contract_name: 'Tea club', contract_amount: '49.90' };

/** The choices: methods, banks, saved cards, plans, and a subscription's terms. */
export const choicePictures: readonly Picture[] = [
  { name: 'many methods', shows: { view: ofMany } },
  {
    name: 'many methods, one of them further down',
    shows: { view: { ...ofMany, last_method: 'KLARNA' }, state: { method: 'apm KLARNA' } },
  },
  { name: 'many methods, all shown', shows: { view: ofMany, open: true } },
  { name: 'many methods, searched', shows: { view: ofMany, at: ['method-search', 'pag'] } },
  { name: 'many methods, one found', shows: { view: ofMany, at: ['method-search', 'klarna'] } },
  { name: 'many methods, none found', shows: { view: ofMany, at: ['method-search', 'xyz'] } },
  { name: 'a few banks', shows: { view: ofFewBanks, state: byTransfer } },
  { name: 'many banks', shows: { view: ofBanks, state: byTransfer } },
  { name: 'a bank searched', shows: { view: ofBanks, state: byTransfer, at: ['bank_code', 'banc'] } },
  { name: 'one bank found', shows: { view: ofBanks, state: byTransfer, at: ['bank_code', 'itau'] } },
  { name: 'no bank found', shows: { view: ofBanks, state: byTransfer, at: ['bank_code', 'xyz'] } },
  { name: 'a bank chosen', shows: { view: ofBanks, state: { ...byTransfer, values: { bank_code: '341' } } } },
  { name: 'no such bank', shows: { view: ofBanks, state: byTransfer, typed: { bank_code: 'xyz' }, sent: true } },
  { name: 'saved cards', shows: { view: session({ saved_cards: savedCards }), state: { token: 't1' } } },
  {
    name: 'a saved card removed',
    shows: {
      view: session({ saved_cards: savedCards }),
      state: { message: { key: 'card_removed', values: { card: 'Visa ending in 4242' } } },
    },
  },
  {
    name: 'a saved card not removed',
    shows: { view: session({ saved_cards: savedCards }), state: { token: 't1', message: { key: 'card_not_removed' } } },
  },
  { name: 'another card', shows: { view: session({ saved_cards: savedCards, offers_saving: true }) } },
  {
    name: 'a card to be saved',
    shows: { view: session({ offers_saving: true }), typed: filled, state: { values: { save_card: '1' } } },
  },
  { name: 'installments', shows: { view: session({ installment_options: installments }) } },
  {
    name: 'a plan chosen',
    shows: {
      view: session({ installment_options: installments }),
      typed: filled,
      state: { values: { installments: '2' } },
    },
  },
  {
    name: 'many plans',
    shows: { view: session({ installment_options: manyPlans }), state: { values: { installments: '2' } } },
  },
  { name: 'subscription', shows: { view: session({ subscription: terms }) } },
  ...[
    { ...club, interval: 'day', billing_cycle: 1 },
    { ...club, interval: 'week', promotion_cycle: 2 },
    { ...club, interval: 'month' },
    { ...club, interval: 'year' },
  ].map((subscription) => ({
    name: `subscription by the ${subscription.interval}`,
    shows: { view: session({ subscription }) },
  })),
  {
    name: 'subscription without a period',
    shows: { view: session({ subscription: { contract_name: 'Tea club' } }) },
  },
];
