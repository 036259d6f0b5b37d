import type { Advice } from '../checkout/status.ts';

/**
 * The result in the form. `settles` is the result after the sandbox's gateway is queried again; `open` means that
 * nothing was paid. A `pending` payment is decided on the gateway's admin page.
 */
export type TestOutcome =
  | { status: 'approved' }
  | { status: 'declined'; code: string; message: string; advice: Advice }
  | { status: 'pending' }
  | { status: 'unknown'; settles: 'approved' | 'open' };

export type TestCard = { number: string; title: string; outcome: TestOutcome };

const approved: TestOutcome = { status: 'approved' };
const unknown: TestOutcome = { status: 'unknown', settles: 'approved' };
const declined = (code: string, message: string, advice: Advice) =>
  ({ status: 'declined', code, message, advice }) as const;

/**
 * Every card with its own behaviour at the sandbox's gateway, and the first one without. Any other valid number is
 * approved, too, with any future expiry date, security code and name.
 */
export const testCards = {
  approved: { number: '4111111111111111', title: 'Approved', outcome: approved },
  declined: {
    number: '4000000000000002',
    title: 'Declined by the bank',
    outcome: declined('2001', 'Do not honour', 'contact_bank'),
  },
  poor: {
    number: '4000000000009995',
    title: 'Too little money',
    outcome: declined('2002', 'Insufficient funds', 'try_another_card'),
  },
  wrongCode: {
    number: '4000000000000127',
    title: 'Wrong security code',
    outcome: declined('2003', 'Security code does not match', 'check_details'),
  },
  late: { number: '4000000000000119', title: 'Approved, but late', outcome: approved },
  silent: { number: '4000000000000341', title: 'Charged, no answer', outcome: unknown },
  held: { number: '4000000000009235', title: 'Approved, held for review', outcome: approved },
  authorised: { number: '4000000000006199', title: 'Authorised only, captured by hand', outcome: approved },
  renewalsFail: { number: '4000000000006207', title: 'Approved, its renewals are declined', outcome: approved },
  pending: { number: '4000000000006215', title: 'Pending, decided later', outcome: { status: 'pending' } },
  reset: { number: '4000000000006017', title: 'Charged, connection reset', outcome: unknown },
  truncated: { number: '4000000000006025', title: 'Charged, answer cut off', outcome: unknown },
  forged: { number: '4000000000006033', title: 'Charged, wrong signature', outcome: unknown },
  mixedUp: { number: '4000000000006041', title: 'Charged, answer for another order', outcome: unknown },
  broken: { number: '4000000000006058', title: 'Charged, error 500', outcome: unknown },
  page: { number: '4000000000006066', title: 'Charged, a web page', outcome: unknown },
  unsigned: { number: '4000000000006074', title: 'Charged, no signature', outcome: unknown },
  wrongAmount: { number: '4000000000006082', title: 'Charged, wrong amount', outcome: unknown },
  wrongCurrency: { number: '4000000000006090', title: 'Charged, wrong currency', outcome: unknown },
  wrongAccount: { number: '4000000000006108', title: 'Charged, wrong account', outcome: unknown },
  longName: { number: '4000000000006173', title: 'Charged, transaction_id too long', outcome: unknown },
  toldTwice: { number: '4000000000006116', title: 'Notified twice', outcome: approved },
  toldLate: { number: '4000000000006124', title: 'Notified late', outcome: approved },
  toldUpsideDown: {
    number: '4000000000006132',
    title: 'Notified out of order: cancel it to see',
    outcome: approved,
  },
  untold: { number: '4000000000006140', title: 'Not notified', outcome: approved },
  refundPending: { number: '4000000000006157', title: 'Refunds accepted, not processed', outcome: approved },
  cardInTexts: { number: '4000000000006181', title: 'Approved, a card number in the answer', outcome: approved },
  failing: {
    number: '4000000000006165',
    title: 'Error 500, nothing charged',
    outcome: { status: 'unknown', settles: 'open' },
  },
} as const satisfies Record<string, TestCard>;

export type TestCardName = keyof typeof testCards;

/** The outcome of a card that has expired by the gateway’s clock. The form does not send a card that has expired by its own. */
export const expired = { outcome: declined('2005', 'Expired card', 'check_details') } as const;

/** The outcome of a number with a wrong check digit. The form does not send one. */
export const mistyped = { outcome: declined('2004', 'Invalid card number', 'check_details') } as const;
