import { payments, type RelayOptions, type Surroundings, steady } from '../harness/measure.ts';
import { type Aim, atLeast, type Row, type Say } from '../harness/report.ts';
import { median } from '../harness/statistics.ts';

/** The number of webhooks that wait when the receiver begins to answer. */
const BACKLOG = 2000;

/** Payments at the same time: a second, and for how many seconds. */
const PER_SECOND = 200;
const SECONDS = 5;

const MAX_ROUNDS = 3;
const WARM_UP = 3000;

/**
 * Measures how many webhooks a second a relay delivers from a backlog to a receiver that answers at once, while 200 payments a second
 * create more of them.
 */
export async function measureWebhooks(
  surroundings: Surroundings,
  title: string,
  options: RelayOptions,
  rounds: number,
  say: Say,
): Promise<{ row: Row; aim: Aim }> {
  const { webhooks } = surroundings;
  const relay = await surroundings.relay({ ...options, webhooks: 'delivered' });
  await relay.run(payments(WARM_UP, 50));
  const rates: number[] = [];
  const p99s: number[] = [];
  const wanted = Math.min(rounds, MAX_ROUNDS);
  for (let round = 1; round <= wanted; round++) {
    say(`round ${round} of ${wanted}`);
    await webhooks.hold();
    await relay.run(payments(BACKLOG, 50));
    await webhooks.release();
    const { p99_ms } = await relay.run(steady(PER_SECOND, SECONDS));
    rates.push(rateOf(await webhooks.arrivals()));
    p99s.push(p99_ms);
  }
  await relay.stop();
  const rate = median(rates);
  return {
    row: {
      what: `${title}, webhooks from a backlog, beside 200 payments a second`,
      figures: { 'webhooks per s': rate, 'p99 ms': median(p99s) },
    },
    aim: atLeast(`${title}: webhooks delivered a second, beside 200 payments a second`, rate, 500),
  };
}

/** The rate until the backlog is delivered, or until the payments end if that is earlier. */
function rateOf(arrivals: readonly number[]): number {
  const last = arrivals[BACKLOG - 1];
  if (last !== undefined && last < SECONDS * 1000) return (BACKLOG / last) * 1000;
  return arrivals.filter((ms) => ms < SECONDS * 1000).length / SECONDS;
}
