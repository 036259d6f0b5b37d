import { join } from 'node:path';
import { payments, startSurroundings, steady } from '../harness/measure.ts';
import { atMost, type Benchmark } from '../harness/report.ts';
import { PERIOD_RECORDS, period } from './period-answer.ts';

const WARM_UP = 2000;
const PER_SECOND = 20;
const SECONDS = 20;
const TIMEOUT_MS = 120_000;
const MB = 2 ** 20;

/** Payments while a shop asks about a period of 50,000, again and again. The baseline is the same payments alone. */
export const longQuery: Benchmark = async (say) => {
  const surroundings = await startSurroundings();
  try {
    const store = `sqlite:${join(surroundings.folder(), 'long.db')}`;
    const relay = await surroundings.relay({ store, timeoutMs: TIMEOUT_MS });
    await relay.run(payments(WARM_UP, 50));
    await ask(relay.origin);
    await relay.loop();
    say(`${PER_SECOND} payments a second, alone`);
    const alone = await relay.run(steady(PER_SECOND, SECONDS));
    const aloneLoop = await relay.loop();
    say('the same beside queries');
    const seconds: number[] = [];
    let bytes = 0;
    let isOver = false;
    const asking = async (): Promise<void> => {
      while (!isOver) {
        const start = performance.now();
        bytes = await ask(relay.origin);
        seconds.push((performance.now() - start) / 1000);
      }
    };
    const [beside] = await Promise.all([
      relay.run(steady(PER_SECOND, SECONDS)).finally(() => {
        isOver = true;
      }),
      asking(),
    ]);
    const besideLoop = await relay.loop();
    const row = (what: string, run: typeof alone, { longest_ms, turn_ms, peak }: typeof aloneLoop) => ({
      what,
      figures: {
        'p50 ms': run.p50_ms,
        'p99 ms': run.p99_ms,
        'longest turn, CPU ms': turn_ms,
        'longest wait ms': longest_ms,
        'most resident MB': peak / MB,
      },
    });
    return {
      rows: [
        row('payments alone (baseline)', alone, aloneLoop),
        row(`beside ${seconds.length} queries`, beside, besideLoop),
      ],
      targets: [
        atMost('longest turn of the relay’s thread beside queries, CPU', besideLoop.turn_ms, 50, ' ms'),
        atMost('most resident memory, MB', besideLoop.peak / MB, 1500),
      ],
      notes: [
        `${PERIOD_RECORDS} payments in an answer of ${(bytes / MB).toFixed(1)} MB; a query took ${Math.max(...seconds).toFixed(1)} s at the longest.`,
        `${PER_SECOND} payments begin in each second, the gateway answers them after 50 ms. The wait is by monitorEventLoopDelay: other work on the machine lengthens it, and not the turn.`,
      ],
    };
  } finally {
    await surroundings.stop();
  }
};

/** Asks about the period; gives the bytes of the answer. Throws TypeError where that is none. */
async function ask(origin: string): Promise<number> {
  const response = await fetch(`${origin}/v1/query`, {
    method: 'POST',
    headers: { authorization: 'Bearer bench', 'content-type': 'application/json' },
    body: JSON.stringify(period),
  });
  let bytes = 0;
  for await (const chunk of response.body ?? []) bytes += chunk.length;
  if (response.status !== 200) throw new TypeError(`the query was answered ${response.status}`);
  return bytes;
}
