import { testCards } from '../../../shared/card-data/test-cards.ts';
import { type Clock, intervalsAfter } from '../base/clock.ts';
import { type Random, transactionId } from '../base/ids.ts';
import type { Contract, Period } from './contract.ts';
import type { Payment, Payments } from './payments.ts';

const MAX_ORDER_NO_LENGTH = 255;

type Surroundings = { payments: Payments; clock: Clock; random: Random };

/**
 * The subscriptions. At the end of a contract's period it is charged, and the next period begins. A cancelled contract
 * gets no further period; the running one is still charged at its end, unless a person cancels that, too (§3).
 */
export class Contracts {
  /** Each with its first payment. */
  readonly #all = new Map<string, { contract: Contract; first: Payment }>();
  readonly #surroundings: Surroundings;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  /** Begins a contract whose first payment is its first cycle. */
  start(contract: Contract, first: Payment): void {
    this.#all.set(contract.recurring_id, { contract, first });
    this.#surroundings.clock.at(contract.terms.startsAt, () => this.#open(contract, first, 1));
  }

  /** Continues a contract of an earlier run. */
  restore(contract: Contract, first: Payment): void {
    const { period } = contract;
    if (!period) this.start(contract, first);
    else {
      this.#all.set(contract.recurring_id, { contract, first });
      this.#run(contract, first, period);
    }
  }

  list(): readonly Contract[] {
    return [...this.#all.values()].map(({ contract }) => contract);
  }

  withId(recurring_id: string): Contract | undefined {
    return this.#all.get(recurring_id)?.contract;
  }

  /** The first payment of a contract. */
  firstPayment(recurring_id: string): Payment | undefined {
    return this.#all.get(recurring_id)?.first;
  }

  /** Ends the contract of a payment. It is never charged again. */
  endWith({ subscription }: Payment): void {
    if (subscription?.cycle !== 1) return;
    this.cancel(subscription.contract);
    this.cancelPeriod(subscription.contract);
  }

  /** Ends a contract: no further period begins. */
  cancel(contract: Contract): void {
    contract.status = 'cancelled';
  }

  /** Cancels the running period by hand, which is then not charged. False if there is none. */
  cancelPeriod({ period }: Contract): boolean {
    if (period?.status !== 'open') return false;
    period.status = 'cancelled';
    return true;
  }

  /**
   * Charges the running period now instead of at its end, with the card's behaviour or with a decline. False if there
   * is none, or nothing of it is left to charge.
   */
  chargePeriod(contract: Contract, declines = contract.declines): boolean {
    const { period, recurring_id } = contract;
    const first = this.firstPayment(recurring_id);
    if (period?.status !== 'open' || !first) return false;
    period.status = declines ? 'declined' : 'charged';
    this.#charge(contract, first, period.number + 1, declines);
    return true;
  }

  #open(contract: Contract, first: Payment, number: number): void {
    const { interval, startsAt, endsAt, cycles } = contract.terms;
    if (contract.status !== 'active' || !interval) return;
    const to = intervalsAfter(startsAt, interval, number);
    if ((cycles !== undefined && number + 1 > cycles) || (endsAt && to > endsAt)) {
      contract.status = 'completed';
      return;
    }
    const period: Period = { number, from: intervalsAfter(startsAt, interval, number - 1), to, status: 'open' };
    contract.period = period;
    this.#run(contract, first, period);
  }

  #run(contract: Contract, first: Payment, period: Period): void {
    const next = period.number + 1;
    this.#surroundings.clock.at(period.to, () => {
      delete contract.period;
      // First the next period, so that the notification of the last charge shows an ended contract.
      this.#open(contract, first, next);
      if (period.status === 'open') this.#charge(contract, first, next, contract.declines);
    });
  }

  #charge(contract: Contract, first: Payment, cycle: number, declines = false): void {
    const { payments, clock, random } = this.#surroundings;
    const { merchant_id, account_id, order, notify_url } = first;
    const { promotionCycles, amount } = contract.terms;
    payments.add({
      transaction_id: transactionId(random),
      merchant_id,
      account_id,
      at: clock.now(),
      order: {
        ...order,
        order_no: numbered(order.order_no, `-R${cycle}`),
        amount: cycle <= promotionCycles ? order.amount : amount,
      },
      ...(notify_url && { notify_url }),
      subscription: { contract, cycle },
      review: 'not_held',
      state: declines ? { status: 'declined', reason: testCards.poor.outcome.message } : { status: 'approved' },
    });
  }
}

/** An order number with a suffix, shortened before it if it would be too long; never within a character. */
function numbered(order_no: string, suffix: string): string {
  const room = MAX_ORDER_NO_LENGTH - suffix.length;
  const whole = order_no.length <= room ? order_no : order_no.slice(0, room).replace(/[\ud800-\udbff]$/, '');
  return `${whole}${suffix}`;
}
