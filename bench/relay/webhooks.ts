import { payments, type RelayOptions, type Surroundings, steady } from '../harness/measure.ts';
import { median } from '../harness/micro.ts';
import { atLeast, type Row, type Target } from '../harness/report.ts';

/** Webhooks that wait when the receiver begins to answer. */
const BACKLOG = 2000;
const PER_SECOND = 200;
const SECONDS = 5;
const WARM_UP = 3000;

/**
 * How many webhooks a second a relay delivers from a backlog to a receiver that answers at once, while 200 payments a second
 * come and make more of them.
 */
export async function webhooksDelivered(
  surroundings: Surroundings,
  { title, options }: { title: string; options: RelayOptions },
  rounds: number,
  say: (line: string) => void,
): Promise<{ row: Row; target: Target }> {
  const { webhooks } = surroundings;
  const relay = await surroundings.relay({ ...options, webhooks: 'delivered' });
  await relay.run(payments(WARM_UP, 50));
  const rates: number[] = [];
  const p99s: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    say(`round ${round} of ${rounds}`);
    await webhooks.hold();
    await relay.run(payments(BACKLOG, 50));
    await webhooks.release();
    const beside = await relay.run(steady(PER_SECOND, SECONDS));
    rates.push(rateOf(await webhooks.arrivals()));
    p99s.push(beside.p99_ms);
  }
  await relay.stop();
  const rate = median(rates);
  return {
    row: {
      what: `${title}, webhooks from a backlog, beside 200 payments a second`,
      figures: { 'webhooks per s': rate, 'p99 ms': median(p99s) },
    },
    target: atLeast(`${title}: webhooks delivered a second, beside 200 payments a second`, rate, 500),
  };
}

/** Webhooks a second until the backlog is gone, or until the payments end where it is not. */
function rateOf(arrivals: readonly number[]): number {
  const last = arrivals[BACKLOG - 1];
  if (last !== undefined && last < SECONDS * 1000) return (BACKLOG / last) * 1000;
  return arrivals.filter((ms) => ms < SECONDS * 1000).length / SECONDS;
}
