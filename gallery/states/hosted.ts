import { brandTheme, card, filled, logo, orderOfAll, pix, session } from './fixtures.ts';
import type { Picture } from './picture.ts';

export const hostedPictures: readonly Picture[] = [
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
];
