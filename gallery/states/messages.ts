import type { State } from '../../widget/form/state.ts';
import { allMethods, card, declined, pix, session } from './fixtures.ts';
import type { Picture } from './picture.ts';

/** A state of the form with this message. */
export function message(key: NonNullable<State['message']>['key'], more: Partial<State> = {}): Partial<State> {
  return { message: { key }, ...more };
}

/** The messages with the same picture: two methods, four attempts left. */
const messageKeys = [
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

export const messagePictures: readonly Picture[] = [
  ...messageKeys.map((key) => ({
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
    shows: { view: session({ methods: allMethods }), typed: declined, state: message('declined_try_another_card') },
  },
];
