import type { Interval } from '../base/clock.ts';

/**
 * The period at whose end a contract is charged, or before, by hand. A period that was cancelled by hand is not
 * charged.
 */
export type Period = { number: number; from: Date; to: Date; status: 'open' | 'charged' | 'declined' | 'cancelled' };

/** A subscription (§2.1). Its first payment is cycle 1; the charge of period n is cycle n + 1. */
export type Contract = {
  recurring_id: string;
  contract_name: string;
  merchant_id: string;
  account_id: string;
  /** `interval` as received. */
  period_word: string;
  terms: Terms;
  status: 'active' | 'cancelled' | 'completed';
  /** Whether its card declines every charge except the first. */
  declines?: boolean;
  /** The running period. */
  period?: Period;
};

export type Terms = {
  /** A contract without an interval is never charged by itself. */
  interval?: Interval;
  startsAt: Date;
  /** No charge is later than this. */
  endsAt?: Date;
  /** The total number of charges, including the first payment; without it there is no last one. */
  cycles?: number;
  /** The number of first cycles with the price of the first payment. */
  promotionCycles: number;
  /** The price of a later cycle. */
  amount: string;
};
