import { copyFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fillStore } from './fill-store.ts';
import { type Figures, startSurroundings, type Target } from './measure.ts';
import { median } from './micro.ts';
import { atMost, type Benchmark } from './report.ts';

const SESSIONS = 1_000_000;
const ROUNDS = 5;

/** A payment with a million sessions in the store, against one with an empty store. */
export const growth: Benchmark = async (say) => {
  const surroundings = await startSurroundings();
  try {
    const folder = surroundings.folder();
    const [empty, full] = [join(folder, 'empty.db'), join(folder, 'full.db')];
    // The payment that all others are copies of.
    const first = await surroundings.relay({ store: `sqlite:${empty}` });
    await first.run({ payments: 1, concurrency: 1, delay_ms: 0 });
    await first.stop();
    copyFileSync(empty, full);
    say(`storing ${SESSIONS} sessions`);
    const started = Date.now();
    fillStore(full, SESSIONS);
    say(`stored in ${Math.round((Date.now() - started) / 1000)} s`);

    const targets = {
      empty: await surroundings.relay({ store: `sqlite:${empty}` }),
      full: await surroundings.relay({ store: `sqlite:${full}` }),
    };
    for (const target of Object.values(targets)) await target.run({ payments: 3000, concurrency: 50, delay_ms: 0 });
    const runs: Record<keyof typeof targets, Figures[]> = { empty: [], full: [] };
    const alone: Record<keyof typeof targets, Figures[]> = { empty: [], full: [] };
    for (let round = 0; round < ROUNDS; round++) {
      say(`round ${round + 1} of ${ROUNDS}`);
      await both(targets, { payments: 1500, concurrency: 50, delay_ms: 0 }, runs);
      await both(targets, { payments: 150, concurrency: 1, delay_ms: 0 }, alone);
    }
    const cpu = (name: keyof typeof targets): number => median(runs[name].map(({ cpu_us }) => cpu_us));
    const perSecond = (name: keyof typeof targets): number => median(runs[name].map(({ per_second }) => per_second));
    const lone = (name: keyof typeof targets): number => median(alone[name].map(({ p50_ms }) => p50_ms));
    const figures = (name: keyof typeof targets): Record<string, number> => ({
      'CPU µs': cpu(name),
      'per s, 50 at once': perSecond(name),
      'p50 ms, alone': lone(name),
    });
    return {
      rows: [
        { what: 'empty store (baseline)', figures: figures('empty') },
        { what: `${SESSIONS} sessions stored`, figures: figures('full') },
      ],
      targets: [
        atMost('CPU, × empty store', cpu('full') / cpu('empty'), 1.15),
        atMost('time of a lone payment, × empty store', lone('full') / lone('empty'), 1.15),
        atMost('time of 50 at once, × empty store', perSecond('empty') / perSecond('full'), 1.15),
      ],
      notes: [
        `Nine in ten of the sessions are paid, with attempt and webhook. The file has ${Math.round(statSync(full).size / 2 ** 20)} MB.`,
      ],
    };
  } finally {
    await surroundings.stop();
  }
};

async function both<Name extends string>(
  targets: Record<Name, Target>,
  load: { payments: number; concurrency: number; delay_ms: number },
  into: Record<Name, Figures[]>,
): Promise<void> {
  for (const name in targets) into[name].push(await targets[name].run(load));
}
