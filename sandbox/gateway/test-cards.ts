import { isCardNumber } from './card-number.ts';
import type { FaultName } from './faults.ts';

/** What the gateway does with a card. Late, silent and faulty cards are charged at once; only the answer goes wrong. */
export type Behaviour =
  | { does: 'approve' }
  | { does: 'decline'; code: string; message: string }
  | { does: 'approve_late' }
  | { does: 'approve_silently' }
  | { does: 'approve_held' }
  | { does: 'approve_with_fault'; fault: FaultName }
  | { does: 'fail' };

type TestCard = { number: string; title: string; behaviour: Behaviour };

const faulty = (fault: FaultName): Behaviour => ({ does: 'approve_with_fault', fault });
const declines = (code: string, message: string): Behaviour => ({ does: 'decline', code, message });

/**
 * Every card that is special and that a payment in the books comes of, and the first one that is not special: any other
 * valid number is approved too.
 */
export const cards = {
  approved: { number: '4111111111111111', title: 'Approved', behaviour: { does: 'approve' } },
  declined: { number: '4000000000000002', title: 'Declined by the bank', behaviour: declines('2001', 'Do not honour') },
  poor: { number: '4000000000009995', title: 'Too little money', behaviour: declines('2002', 'Insufficient funds') },
  wrongCode: {
    number: '4000000000000127',
    title: 'Wrong security code',
    behaviour: declines('2003', 'Security code does not match'),
  },
  late: { number: '4000000000000119', title: 'Approved, but late', behaviour: { does: 'approve_late' } },
  silent: { number: '4000000000000341', title: 'Charged, no answer', behaviour: { does: 'approve_silently' } },
  held: { number: '4000000000009235', title: 'Approved, held for review', behaviour: { does: 'approve_held' } },
  reset: { number: '4000000000006017', title: 'Charged, connection reset', behaviour: faulty('reset') },
  truncated: { number: '4000000000006025', title: 'Charged, answer cut off', behaviour: faulty('truncated') },
  forged: { number: '4000000000006033', title: 'Charged, wrong signature', behaviour: faulty('wrong_signature') },
  mixedUp: { number: '4000000000006041', title: 'Charged, answer for another order', behaviour: faulty('wrong_order') },
  broken: { number: '4000000000006058', title: 'Charged, error 500', behaviour: faulty('server_error') },
  page: { number: '4000000000006066', title: 'Charged, a web page', behaviour: faulty('html') },
  unsigned: { number: '4000000000006074', title: 'Charged, no signature', behaviour: faulty('missing_signature') },
  wrongAmount: { number: '4000000000006082', title: 'Charged, wrong amount', behaviour: faulty('wrong_amount') },
  wrongCurrency: { number: '4000000000006090', title: 'Charged, wrong currency', behaviour: faulty('wrong_currency') },
  wrongAccount: { number: '4000000000006108', title: 'Charged, wrong account', behaviour: faulty('wrong_account') },
  toldTwice: { number: '4000000000006116', title: 'Notified twice', behaviour: faulty('notification_duplicate') },
  toldLate: { number: '4000000000006124', title: 'Notified late', behaviour: faulty('notification_late') },
  toldUpsideDown: {
    number: '4000000000006132',
    title: 'Notified out of order: cancel it to see',
    behaviour: faulty('notification_reordered'),
  },
  untold: { number: '4000000000006140', title: 'Not notified', behaviour: faulty('notification_lost') },
  refundPending: {
    number: '4000000000006157',
    title: 'Refunds accepted, not processed',
    behaviour: faulty('refund_pending'),
  },
} as const satisfies Record<string, TestCard>;

/** The same as a list. */
export const testCards: readonly TestCard[] = Object.values(cards);

/** The one card of which nothing gets into the books. */
export const failing: TestCard = {
  number: '4000000000006165',
  title: 'Error 500, nothing charged',
  behaviour: { does: 'fail' },
};

/** The numbers of all of them. */
export const specialCards: readonly string[] = [...testCards, failing].map(({ number }) => number);

/** What becomes of a card whose expiry is over or cannot be read, whichever it is. */
export const expired: Behaviour = declines('2005', 'Expired card');

const byNumber = new Map<string, Behaviour>([...testCards, failing].map((card) => [card.number, card.behaviour]));

/** What happens to a payment with this card number. */
export function behaviourOf(card: string): Behaviour {
  if (!isCardNumber(card)) return declines('2004', 'Invalid card number');
  return byNumber.get(card) ?? { does: 'approve' };
}

/** The faults that a card brings with it. */
export function faultsOf(behaviour: Behaviour): FaultName[] {
  switch (behaviour.does) {
    case 'approve_late':
      return ['late'];
    case 'approve_silently':
      return ['never'];
    case 'approve_with_fault':
      return [behaviour.fault];
    case 'fail':
      return ['error_before'];
    default:
      return [];
  }
}

/** A card number as people write it: `4111 1111 1111 1111`. */
export function grouped(number: string): string {
  return number.replace(/(.{4})(?=.)/g, '$1 ');
}
