import { mistyped, expired as overdue, type TestCardName, testCards } from '../../../shared/card-data/test-cards.ts';
import { isCardNumber } from '../base/ids.ts';
import type { FaultName } from './faults.ts';

/** The outcome of a card. With any fault but `error_before` it is charged at once, and only the answer is wrong. */
export type Behaviour = {
  declined?: { code: string; message: string };
  held?: boolean;
  pending?: boolean;
  byHand?: boolean;
  renewalsFail?: boolean;
  fault?: FaultName;
};

const declined = (name: 'declined' | 'poor' | 'wrongCode'): Behaviour => ({ declined: testCards[name].outcome });

const behaviours: Record<TestCardName, Behaviour> = {
  approved: {},
  declined: declined('declined'),
  poor: declined('poor'),
  wrongCode: declined('wrongCode'),
  late: { fault: 'late' },
  silent: { fault: 'never' },
  held: { held: true },
  authorised: { byHand: true },
  renewalsFail: { renewalsFail: true },
  pending: { pending: true },
  reset: { fault: 'reset' },
  truncated: { fault: 'truncated' },
  forged: { fault: 'wrong_signature' },
  mixedUp: { fault: 'wrong_order' },
  broken: { fault: 'server_error' },
  page: { fault: 'html' },
  unsigned: { fault: 'missing_signature' },
  wrongAmount: { fault: 'wrong_amount' },
  wrongCurrency: { fault: 'wrong_currency' },
  wrongAccount: { fault: 'wrong_account' },
  longName: { fault: 'long_name' },
  toldTwice: { fault: 'notification_duplicate' },
  toldLate: { fault: 'notification_late' },
  toldUpsideDown: { fault: 'notification_reordered' },
  untold: { fault: 'notification_lost' },
  refundPending: { fault: 'refund_pending' },
  cardInTexts: { fault: 'card_in_texts' },
  failing: { fault: 'error_before' },
};

const numbers = new Map<string, string>(Object.entries(testCards).map(([name, { number }]) => [name, number]));
const byNumber = new Map(Object.entries(behaviours).map(([name, behaviour]) => [numbers.get(name), behaviour]));

/** The payment_method whose payments the issuer only authorises, to be captured by hand. Those of any other are captured at once. */
export const METHOD_BY_HAND = 'INVOICE';

/** The numbers of all test cards. */
export const specialCards: readonly string[] = [...numbers.values()];

/** The outcome of any card that has expired, or whose expiry cannot be read. */
export const expired: Behaviour = { declined: overdue.outcome };

/** The outcome of a payment with this card number. */
export function behaviourOf(card: string): Behaviour {
  if (!isCardNumber(card)) return { declined: mistyped.outcome };
  return byNumber.get(card) ?? {};
}

/** A card number as people write it: `4111 1111 1111 1111`. */
export function grouped(number: string): string {
  return number.replace(/(.{4})(?=.)/g, '$1 ');
}
