import { isCardNumber } from './card-number.ts';
import type { FaultName } from './faults.ts';

/** What the gateway does with a card. Late, silent and faulty cards are charged at once; only the answer goes wrong. */
export type Behaviour =
  | { does: 'approve' }
  | { does: 'decline'; code: string; message: string }
  | { does: 'approve_late' }
  | { does: 'approve_silently' }
  | { does: 'approve_held' }
  | { does: 'approve_with_fault'; fault: FaultName };

export type TestCard = { number: string; title: string; behaviour: Behaviour };

const faulty = (fault: FaultName): Behaviour => ({ does: 'approve_with_fault', fault });
const declines = (code: string, message: string): Behaviour => ({ does: 'decline', code, message });

/** Every card that is special, and the first one that is not: any other valid number is approved too. */
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
} as const satisfies Record<string, TestCard>;

/** The same as a list. */
export const testCards: readonly TestCard[] = Object.values(cards);

const byNumber = new Map<string, Behaviour>(testCards.map((card) => [card.number, card.behaviour]));

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
    default:
      return [];
  }
}

/** A card number as people write it: `4111 1111 1111 1111`. */
export function grouped(number: string): string {
  return number.replace(/(.{4})(?=.)/g, '$1 ');
}
