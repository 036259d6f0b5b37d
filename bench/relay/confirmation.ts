import { payments, type RelayOptions, type Surroundings } from '../harness/measure.ts';
import { type Aim, atMost, type Row, type Say } from '../harness/report.ts';
import { median } from '../harness/statistics.ts';

const COUNT = 1000;
const WARM_UP = 3000;

/**
 * Measures the CPU of payments and of their confirmation, a hundred at a time. The confirmation has two figures: the
 * query with its answer, and everything, with the write and the event `payment.ready`. The background lists each order
 * again: after a payment that counts as the payment's CPU, after a confirmation it has a figure of its own.
 */
export async function measureConfirmation(
  surroundings: Surroundings,
  title: string,
  options: RelayOptions,
  rounds: number,
  say: Say,
): Promise<{ row: Row; aims: Aim[] }> {
  const relay = await surroundings.relay(options);
  const measure = async (count: number) => {
    const { cpu_us } = await relay.run(payments(count, 50));
    const payment = cpu_us + (await relay.list(count));
    const asked = await relay.confirm('asked', count);
    const whole = await relay.confirm('whole', count);
    return { payment, asked, whole, listed: await relay.list(count) };
  };
  for (let at = 0; at < 2; at++) await measure(WARM_UP);
  const found: Awaited<ReturnType<typeof measure>>[] = [];
  for (let round = 1; round <= rounds; round++) {
    say(`round ${round} of ${rounds}`);
    found.push(await measure(COUNT));
  }
  await relay.stop();
  const share = (of: 'asked' | 'whole'): number => median(found.map((one) => (100 * one[of]) / one.payment));
  return {
    row: {
      what: `${title}, confirmation of a payment`,
      figures: {
        'CPU µs': median(found.map(({ whole }) => whole)),
        'CPU µs of the payment': median(found.map(({ payment }) => payment)),
        'CPU µs of query and reading': median(found.map(({ asked }) => asked)),
        'CPU µs of listing it': median(found.map(({ listed }) => listed)),
      },
    },
    aims: [
      atMost(`${title}: CPU of a confirmation’s query and reading, of a payment’s`, share('asked'), 5, ' %'),
      atMost(`${title}: CPU of a whole confirmation, of a payment’s`, share('whole'), 20, ' %'),
    ],
  };
}
