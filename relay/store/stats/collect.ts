import type { Attempt } from '../../payments/attempt.ts';
import { parsed } from '../rows.ts';
import { startOf, startsBetween } from './periods.ts';
import type { StatsReads, StatsSearch, StoredStats } from './search.ts';
import { countedPayment, createTally, type Tally } from './tally.ts';

/** Counts what a store has of the time that is asked for. Throws what its reads throw. */
export async function collect(reads: StatsReads, search: StatsSearch): Promise<StoredStats> {
  const { by, from, to, currency } = search;
  const total = createTally();
  const periods = new Map(startsBetween(from, to, by).map((start) => [start, createTally()]));
  const talliesOf = (at: string): Tally[] => {
    const own = periods.get(startOf(at, by));
    return own ? [total, own] : [];
  };
  const isWanted = (one: { currency: string }): boolean => currency === undefined || one.currency === currency;
  for await (const page of reads.attempts(search)) {
    for (const attempt of page.map((text) => parsed<Attempt>(text)).filter(isWanted)) {
      const payment = countedPayment(attempt);
      if (payment) for (const tally of talliesOf(attempt.started_at)) tally.addPayment(payment);
    }
  }
  for await (const page of reads.refunds(search)) {
    for (const refund of page.filter(isWanted)) {
      for (const tally of talliesOf(refund.created_at)) tally.addRefund(refund);
    }
  }
  return {
    total: total.figures(),
    periods: [...periods].map(([start, tally]) => ({ start, ...tally.figures() })),
  };
}
