import { join } from 'node:path';
import { payments, startSurroundings } from '../harness/measure.ts';
import { atMost, type Benchmark, type Row } from '../harness/report.ts';

const PAYMENTS = 100_000;
const STEP = 5000;
const MAX_MS = 95_000;

/** So many figures stand for the start, and so many for the end: the least of them, for garbage comes and goes. */
const PART = 3;
const MB = 2 ** 20;

/** The relay's memory while it makes 100,000 payments. Its baseline is its own memory at the start of them. */
export const memory: Benchmark = async (say) => {
  const surroundings = await startSurroundings();
  try {
    const store = `sqlite:${join(surroundings.folder(), 'memory.db')}`;
    const relay = await surroundings.relay({ store, execArgv: ['--expose-gc'] });
    const until = Date.now() + MAX_MS;
    const rows: Row[] = [];
    const heaps: number[] = [];
    const sets: number[] = [];
    while (heaps.length * STEP < PAYMENTS && Date.now() < until) {
      await relay.run(payments(STEP, 50));
      const { heap, rss } = await relay.memory();
      heaps.push(heap);
      sets.push(rss);
      const paid = `${heaps.length * STEP} payments`;
      say(paid);
      rows.push({ what: paid, figures: { 'heap MB': heap / MB, 'resident MB': rss / MB } });
    }
    const growth = (figures: number[]): number =>
      Math.min(...figures.slice(-PART)) / Math.min(...figures.slice(0, PART));
    return {
      rows,
      targets: [
        atMost('heap at the end, × that at the start', growth(heaps), 1.1),
        atMost('resident memory at the end, × that at the start', growth(sets), 1.2),
      ],
      notes: [
        'Heap is what is used after a full collection, buffers outside of it included.',
        ...(heaps.length * STEP < PAYMENTS
          ? ['This machine was too slow for all 100,000 in the time of a benchmark.']
          : []),
      ],
    };
  } finally {
    await surroundings.stop();
  }
};
