import type { Notice } from '../../shared/checkout/view.ts';
import { boleto, card, pix, session } from './fixtures.ts';
import { message } from './messages.ts';
import type { NoticePicture, Picture } from './picture.ts';

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

/** What replaces the form. */
export const outcomePictures: readonly Picture[] = [
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
];

/** Pages with a single message. */
export const noticePictures: readonly Picture[] = (
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
).map((notice) => ({ name: `page: ${notice}`, shows: { notice, view: session({}), link: linkOf(notice) } }));

/** The link of a page with a single message. */
function linkOf(notice: Notice): NoticePicture['link'] {
  if (notice === 'issuer_unreachable') return { to: 'on', href: '/' };
  if (notice === 'not_found') return { to: 'retry', href: '/' };
  const isOpen = ['processing', 'redirected', 'confirming', 'pending', 'unknown'].includes(notice);
  return isOpen ? { to: 'check', href: '/' } : { to: 'shop', href: '/', name: 'Folha' };
}
