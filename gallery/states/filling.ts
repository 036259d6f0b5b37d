import type { State } from '../../widget/form/state.ts';
import { brandNumbers, filled, session } from './fixtures.ts';
import { message } from './messages.ts';
import type { Picture } from './picture.ts';

/** Values that are wrong, by what is wrong with them. */
export const wrong: Readonly<Record<string, Readonly<Record<string, string>>>> = {
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

export const fillingPictures: readonly Picture[] = [
  { name: 'empty', shows: { view: session() } },
  { name: 'typing', shows: { view: session(), at: ['card', '4111 11'] } },
  { name: 'filled', shows: { view: session(), typed: filled } },
  { name: 'focus on the button', shows: { view: session(), typed: filled, at: ['submit'] } },
  { name: 'paying', shows: { view: session(), state: paying } },
  {
    name: 'paying for long',
    shows: { view: session(), state: message('paying_long', paying) },
  },
];

export const wrongPictures: readonly Picture[] = [
  { name: 'nothing filled in', shows: { view: session(), sent: true } },
  ...Object.entries(wrong).map(([name, typed]) => ({ name, shows: { view: session(), typed } })),
  { name: 'wrong and being mended', shows: { view: session(), typed: wrong['number wrong'] ?? {}, at: ['card'] } },
  {
    name: 'refused by the server',
    shows: { view: session(), typed: filled, state: { errors: { name: { key: 'field_invalid' } } } },
  },
];

export const brandPictures: readonly Picture[] = Object.entries(brandNumbers).map(([brand, number]) => ({
  name: brand,
  shows: { view: session(), typed: { card: number } },
}));
