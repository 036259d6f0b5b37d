import {
  mistyped,
  expired as overdue,
  testCards as promised,
  type TestCardName,
  type TestOutcome,
} from '../../../shared/card-data/test-cards.ts';
import { isCardNumber } from '../base/ids.ts';
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

type Special = { number: string; title: string; outcome: TestOutcome; behaviour: Behaviour };

const special = (name: TestCardName, behaviour: Behaviour): Special => ({ ...promised[name], behaviour });
const faulty = (name: TestCardName, fault: FaultName) => special(name, { does: 'approve_with_fault', fault });
const declining = (name: 'declined' | 'poor' | 'wrongCode') => {
  const { code, message } = promised[name].outcome;
  return special(name, declines(code, message));
};

function declines(code: string, message: string): Behaviour {
  return { does: 'decline', code, message };
}

/** Every card that is special and that a payment in the books comes of, and the first one that is not special. */
export const cards = {
  approved: special('approved', { does: 'approve' }),
  declined: declining('declined'),
  poor: declining('poor'),
  wrongCode: declining('wrongCode'),
  late: special('late', { does: 'approve_late' }),
  silent: special('silent', { does: 'approve_silently' }),
  held: special('held', { does: 'approve_held' }),
  reset: faulty('reset', 'reset'),
  truncated: faulty('truncated', 'truncated'),
  forged: faulty('forged', 'wrong_signature'),
  mixedUp: faulty('mixedUp', 'wrong_order'),
  broken: faulty('broken', 'server_error'),
  page: faulty('page', 'html'),
  unsigned: faulty('unsigned', 'missing_signature'),
  wrongAmount: faulty('wrongAmount', 'wrong_amount'),
  wrongCurrency: faulty('wrongCurrency', 'wrong_currency'),
  wrongAccount: faulty('wrongAccount', 'wrong_account'),
  longName: faulty('longName', 'long_name'),
  toldTwice: faulty('toldTwice', 'notification_duplicate'),
  toldLate: faulty('toldLate', 'notification_late'),
  toldUpsideDown: faulty('toldUpsideDown', 'notification_reordered'),
  untold: faulty('untold', 'notification_lost'),
  refundPending: faulty('refundPending', 'refund_pending'),
  cardInTexts: faulty('cardInTexts', 'card_in_texts'),
} satisfies Record<Exclude<TestCardName, 'failing'>, Special>;

/** The same as a list. */
export const testCards: readonly Special[] = Object.values(cards);

/** The one card of which nothing gets into the books. */
export const failing = special('failing', { does: 'fail' });

/** The numbers of all of them. */
export const specialCards: readonly string[] = [...testCards, failing].map(({ number }) => number);

/** What becomes of a card whose expiry is over or cannot be read, whichever it is. */
export const expired: Behaviour = declines(overdue.outcome.code, overdue.outcome.message);

const byNumber = new Map<string, Behaviour>([...testCards, failing].map((card) => [card.number, card.behaviour]));

/** What happens to a payment with this card number. */
export function behaviourOf(card: string): Behaviour {
  if (!isCardNumber(card)) return declines(mistyped.outcome.code, mistyped.outcome.message);
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
