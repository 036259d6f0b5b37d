import { terms } from './choices.ts';
import { wrong } from './filling.ts';
import {
  allMethods,
  boleto,
  brandTheme,
  card,
  declined,
  filled,
  longest,
  pix,
  savedCards,
  session,
} from './fixtures.ts';
import { message } from './messages.ts';
import type { Picture } from './picture.ts';

export const lookPictures: readonly Picture[] = [
  {
    name: 'compact',
    compact: true,
    shows: { view: session({ methods: [card, pix] }), typed: wrong['date past'] ?? {} },
  },
  {
    name: 'compact, declined',
    compact: true,
    shows: { view: session({ methods: allMethods }), typed: declined, state: message('declined_contact_bank') },
  },
  {
    name: 'a shop’s own looks',
    variables: brandTheme,
    theme: 'light',
    shows: { view: session({ methods: [card, pix] }), at: ['card', '5555 5555'] },
  },
  {
    name: 'its decline',
    variables: brandTheme,
    theme: 'light',
    shows: { view: session({ methods: [card, pix] }), typed: declined, state: message('declined_contact_bank') },
  },
  { name: 'Portuguese', locale: 'pt-BR', shows: { view: session({ methods: [card, pix] }), typed: filled } },
  { name: 'Portuguese, empty', locale: 'pt-BR', shows: { view: session({ saved_cards: savedCards }), sent: true } },
  {
    name: 'Spanish',
    locale: 'es-419',
    shows: { view: session({ currency: 'MXN', methods: [card, pix] }), typed: filled },
  },
  { name: 'Spanish, empty', locale: 'es-419', shows: { view: session({ subscription: terms }), sent: true } },
  {
    name: 'the longest texts at 320 px',
    width: 320,
    locale: 'pt-BR',
    shows: {
      view: session({
        merchant_name: 'Associação Interestadual dos Produtores de Chá-Preto Serra-Verdense',
        currency: 'COP',
        amount: '123456789012.50',
        methods: [card, longest, boleto],
        saved_cards: savedCards,
        installment_options: [{ installments: '12', each: '10288065751.04', total: '123456789012.50' }],
        subscription: { ...terms, contract_name: 'Assinatura trimestral de degustação de chás raros' },
      }),
      state: message('declined_try_another_card'),
      sent: true,
    },
  },
];
