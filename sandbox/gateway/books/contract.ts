import type { Interval } from '../base/clock.ts';

/** The time that a contract is charged for at its end, or before, by hand. One cancelled by hand is not charged. */
export type Period = { number: number; from: Date; to: Date; status: 'open' | 'charged' | 'declined' | 'cancelled' };

/** A subscription (§2.1). Its first payment is cycle 1; the period with number n is charged as cycle n + 1. */
export type Contract = {
  recurring_id: string;
  contract_name: string;
  merchant_id: string;
  account_id: string;
  /** `interval` as it was given. */
  period_word: string;
  terms: Terms;
  status: 'active' | 'cancelled' | 'completed';
  /** Whether its card declines every charge but the first one. */
  declines?: boolean;
  /** The period that runs. */
  period?: Period;
};

export type Terms = {
  /** Without one the contract is never charged by itself. */
  interval?: Interval;
  startsAt: Date;
  /** No charge later than this. */
  endsAt?: Date;
  /** How many charges there are in all, the first payment counted; without it there is no last one. */
  cycles?: number;
  /** The number of first cycles with the price of the first payment. */
  promotionCycles: number;
  /** The price of a later cycle. */
  amount: string;
};
