import { statSync } from 'node:fs';
import { join } from 'node:path';
import { filledStore, fillNote } from '../filled-store/filled-store.ts';
import { payments, startSurroundings } from '../harness/measure.ts';
import { atMost, type Benchmark } from '../harness/report.ts';
import { inTurns, medianOf } from '../harness/rounds.ts';

const ROUNDS = 5;

/** The cost of a payment with a million orders in the SQLite store, compared with an empty store. */
export const growth: Benchmark = async (say, { rounds = ROUNDS, keep } = {}) => {
  const surroundings = await startSurroundings();
  try {
    await using filled = await filledStore('sqlite', { surroundings, keep, say });
    const { store } = filled.options;
    const targets = [
      await surroundings.relay({ store: `sqlite:${join(surroundings.folder(), 'empty.db')}` }),
      await surroundings.relay({ store }),
    ];
    for (const target of targets) await target.run(payments(3000, 50));
    const runs = await inTurns(targets, payments(1500, 50), rounds, (line) => say(`50 at once, ${line}`));
    const alone = await inTurns(targets, payments(150, 1), rounds, (line) => say(`1 at once, ${line}`));
    const [EMPTY, FULL] = [0, 1];
    const cpu = (at: number): number => medianOf(runs[at] ?? [], ({ cpu_us }) => cpu_us);
    const perSecond = (at: number): number => medianOf(runs[at] ?? [], ({ per_second }) => per_second);
    const aloneMs = (at: number): number => medianOf(alone[at] ?? [], ({ p50_ms }) => p50_ms);
    const figures = (at: number): Record<string, number> => ({
      'CPU µs': cpu(at),
      'per s, 50 at once': perSecond(at),
      'p50 ms, alone': aloneMs(at),
    });
    return {
      rows: [
        { what: 'empty store (baseline)', figures: figures(EMPTY) },
        { what: 'a million orders', figures: figures(FULL) },
      ],
      aims: [
        atMost('CPU, × empty store', cpu(FULL) / cpu(EMPTY), 1.15),
        atMost('time of a lone payment, × empty store', aloneMs(FULL) / aloneMs(EMPTY), 1.15),
        atMost('time of 50 at once, × empty store', perSecond(EMPTY) / perSecond(FULL), 1.15),
      ],
      notes: [fillNote, `The file has ${Math.round(statSync(store.replace('sqlite:', '')).size / 2 ** 20)} MB.`],
    };
  } finally {
    await surroundings.stop();
  }
};
