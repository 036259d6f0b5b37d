import type { Notice } from '../shared/checkout/view.ts';
import type { State } from '../widget/form/state.ts';
import { amountPictures } from './states/amounts.ts';
import { choicePictures, installments, terms } from './states/choices.ts';
import { detailPictures } from './states/details.ts';
import {
  boleto,
  brandNumbers,
  brandTheme,
  card,
  declined,
  filled,
  home,
  logo,
  longest,
  orderOfAll,
  pix,
  savedCards,
  session,
  transfer,
} from './states/fixtures.ts';
import type { NoticePicture, Picture } from './states/picture.ts';

export type { FormPicture, Picture } from './states/picture.ts';

type Section = { title: string; pictures: readonly Picture[] };

const message = (key: NonNullable<State['message']>['key'], more: Partial<State> = {}): Partial<State> => ({
  message: { key },
  ...more,
});

/** The form's message. */
const notices = [
  'declined',
  'declined_check_details',
  'declined_try_another_card',
  'declined_contact_bank',
  'declined_try_later',
  'not_paid',
  'not_sent',
  'not_received',
  'not_accepted',
  'amount_changed',
  'order_changed',
  'order_in_progress',
  'order_already_paid',
  'too_many',
  'offline',
] as const satisfies readonly NonNullable<State['message']>['key'][];

const wrong: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'number too short': { card: '4111 1111' },
  'number wrong': { card: '4111 1111 1111 1112' },
  'number too long': { card: '41111111111111112' },
  'date unreadable': { expiry: '99' },
  'date past': { expiry: '01 / 20' },
  'date far away': { expiry: '12 / 70' },
  'code too short': { card: '378282246310005', security_code: '12' },
  'name a number': { name: '4111 1111 1111 1111' },
};

/** While a form pays, dots replace the code. */
const paying: Partial<State> = { stage: { name: 'paying' }, values: { ...filled, security_code: '•••' } };

const methods = [card, pix, boleto, transfer, home];
const pending = session({
  methods: [card, pix, boleto],
  status: 'pending',
  pending: { payment_method: 'BOLETO', can_abandon: true, continue_url: '/issuer?ticket=1' },
});
const redirected = (returned: boolean) =>
  session({
    methods: [card, pix, boleto],
    status: 'redirected',
    redirected: { payment_method: 'PIX', can_abandon: true, returned, continue_url: '/issuer?ticket=1' },
  });
const everything = session({
  methods: [card, pix],
  saved_cards: savedCards,
  installment_options: installments,
  subscription: terms,
  collect: ['email', 'phone', 'document', 'birth_date', 'billing_address', 'delivery_address'],
});

/** Every state of the form and of its pages. A test checks that every text of the form appears. */
export const sections: readonly Section[] = [
  {
    title: 'Filling in',
    pictures: [
      { name: 'empty', shows: { view: session() } },
      { name: 'typing', shows: { view: session(), at: ['card', '4111 11'] } },
      { name: 'filled', shows: { view: session(), typed: filled } },
      { name: 'focus on the button', shows: { view: session(), typed: filled, at: ['submit'] } },
      { name: 'paying', shows: { view: session(), state: paying } },
      {
        name: 'paying for long',
        shows: { view: session(), state: message('paying_long', paying) },
      },
    ],
  },
  {
    title: 'Wrong fields',
    pictures: [
      { name: 'nothing filled in', shows: { view: session(), sent: true } },
      ...Object.entries(wrong).map(([name, typed]) => ({ name, shows: { view: session(), typed } })),
      { name: 'wrong and being mended', shows: { view: session(), typed: wrong['number wrong'] ?? {}, at: ['card'] } },
      {
        name: 'refused by the server',
        shows: { view: session(), typed: filled, state: { errors: { name: { key: 'field_invalid' } } } },
      },
    ],
  },
  {
    title: 'Brands',
    pictures: Object.entries(brandNumbers).map(([brand, number]) => ({
      name: brand,
      shows: { view: session(), typed: { card: number } },
    })),
  },
  {
    title: 'Message in the form',
    pictures: [
      ...notices.map((key) => ({
        name: key.replaceAll('_', ' '),
        shows: { view: session({ methods: [card, pix], attempts_left: 4 }), typed: declined, state: message(key) },
      })),
      {
        name: 'abandoned',
        shows: {
          view: session({ methods: [card, pix] }),
          state: { message: { key: 'abandoned', values: { method: 'Pix' } } },
        },
      },
      {
        name: 'not paid yet, may still arrive',
        shows: {
          view: session({ methods: [card, pix], watched: { payment_method: 'PIX' } }),
          state: { message: { key: 'not_paid_with', values: { method: 'Pix' } } },
        },
      },
      {
        name: 'one attempt left',
        shows: {
          view: session({ attempts_left: 1 }),
          typed: declined,
          at: ['security_code'],
          state: message('declined_check_details'),
        },
      },
      ...(['declined', 'declined_try_another_card', 'not_paid', 'not_paid_with'] as const).map((key) => ({
        name: `${key.replaceAll('_', ' ')}, one method`,
        shows: { view: session({ attempts_left: 4 }), state: { message: { key, values: { method: 'Pix' } } } },
      })),
      {
        name: 'declined, five methods',
        shows: { view: session({ methods }), typed: declined, state: message('declined_try_another_card') },
      },
    ],
  },
  {
    title: 'In the form’s place',
    pictures: [
      {
        name: 'leaving',
        shows: { view: session(), state: { stage: { name: 'leaving', url: 'https://pay.example/' } } },
      },
      { name: 'away', shows: { view: redirected(false) } },
      { name: 'away, hosted', shows: { view: redirected(false), hosted: {} } },
      { name: 'away, with an announcement', shows: { view: redirected(false), state: { action: 'returned' } } },
      { name: 'confirming', shows: { view: session({ status: 'unknown' }) } },
      { name: 'confirming after the issuer', shows: { view: redirected(true) } },
      { name: 'confirming offline', shows: { view: session({ status: 'unknown' }), state: message('no_connection') } },
      { name: 'pending', shows: { view: pending } },
      { name: 'pending, hosted', shows: { view: pending, hosted: {} } },
      { name: 'pending, being abandoned', shows: { view: pending, state: { action: 'abandon' } } },
      { name: 'pending, cannot be abandoned', shows: { view: pending, state: message('cannot_abandon') } },
      {
        name: 'pending card payment',
        shows: { view: session({ status: 'pending', pending: { payment_method: 'card', can_abandon: false } }) },
      },
      { name: 'approved', shows: { view: session({ status: 'approved', card: '411111******1111' }) } },
      {
        name: 'approved, hosted',
        shows: { view: session({ status: 'approved', card: '411111******1111' }), hosted: {} },
      },
      {
        name: 'approved, paid twice',
        shows: { view: session({ status: 'approved', methods: [card, pix], paid_twice: { payment_method: 'PIX' } }) },
      },
      { name: 'failed', shows: { view: session({ status: 'failed' }), hosted: {} } },
      {
        name: 'paid elsewhere',
        shows: { view: session({ status: 'failed', reason: 'order_already_paid' }), hosted: {} },
      },
      { name: 'expired', shows: { view: session({ status: 'expired' }), hosted: {} } },
      { name: 'broken link', shows: { view: session(), state: { stage: { name: 'broken' } } } },
      { name: 'incomplete', shows: { view: session(), state: { stage: { name: 'incomplete' } } } },
    ],
  },
  {
    title: 'A page of its own',
    pictures: [
      { name: 'hosted page', shows: { view: session({ methods: [card, pix] }), hosted: { order: orderOfAll } } },
      {
        name: 'hosted page, what is bought',
        shows: { view: session({ methods: [card, pix] }), hosted: { order: orderOfAll, logo }, open: true },
      },
      {
        name: 'hosted page on a desktop',
        width: 1280,
        shows: { view: session({ methods: [card, pix] }), hosted: { order: orderOfAll, logo } },
      },
      { name: 'hosted page of an amount alone', width: 1280, shows: { view: session(), hosted: {} } },
      {
        name: 'hosted page, paying',
        shows: { view: session(), hosted: { order: orderOfAll }, typed: filled, state: { stage: { name: 'paying' } } },
      },
      {
        name: 'hosted page, approved',
        width: 1280,
        shows: {
          view: session({ card: '411111******1111' }),
          hosted: { order: orderOfAll },
          state: { stage: { name: 'approved' } },
        },
      },
      {
        name: 'hosted page in a shop’s own looks',
        width: 1280,
        variables: brandTheme,
        theme: 'light',
        shows: { view: session({ methods: [card, pix] }), hosted: { order: orderOfAll, logo } },
      },
      {
        name: 'hosted page, broken link',
        shows: { view: session(), hosted: {}, state: { stage: { name: 'broken' } } },
      },
    ],
  },
  {
    title: 'Ways to pay',
    pictures: [
      { name: 'two methods', shows: { view: session({ methods: [card, pix] }) } },
      { name: 'five methods', shows: { view: session({ methods }), state: { method: 'apm PIX' } } },
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
    ],
  },
  { title: 'Amounts', pictures: amountPictures },
  {
    title: 'Pages that tell one thing',
    pictures: (
      [
        'open',
        'processing',
        'redirected',
        'confirming',
        'pending',
        'unknown',
        'approved',
        'failed',
        'expired',
        'order_already_paid',
        'issuer_unreachable',
        'link_expired',
        'not_found',
      ] as const satisfies readonly Notice[]
    ).map((notice) => ({ name: `page: ${notice}`, shows: { notice, view: session({}), link: linkOf(notice) } })),
  },
  {
    title: 'Looks, languages and sizes',
    pictures: [
      {
        name: 'compact',
        compact: true,
        shows: { view: session({ methods: [card, pix] }), typed: wrong['date past'] ?? {} },
      },
      {
        name: 'compact, declined',
        compact: true,
        shows: { view: session({ methods }), typed: declined, state: message('declined_contact_bank') },
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
    ],
  },
];

/** The link of a page with a single message. */
function linkOf(notice: Notice): NoticePicture['link'] {
  if (notice === 'issuer_unreachable') return { to: 'on', href: '/' };
  if (notice === 'not_found') return { to: 'retry', href: '/' };
  const isOpen = ['processing', 'redirected', 'confirming', 'pending', 'unknown'].includes(notice);
  return isOpen ? { to: 'check', href: '/' } : { to: 'shop', href: '/', name: 'Folha' };
}

export const pictures: readonly Picture[] = sections.flatMap((section) => section.pictures);

/** The picture with this name. Throws if there is none. */
export function pictureOf(name: string): Picture {
  const found = pictures.find((picture) => picture.name === name);
  if (!found) throw new Error(`The gallery has no picture called ${name}`);
  return found;
}
