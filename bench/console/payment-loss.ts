import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { startChild } from '../harness/child.ts';
import type { Figures, Load, Target } from '../harness/measure.ts';
import { type Aim, atMost, type Row, type Say } from '../harness/report.ts';
import { compared, medianOf } from '../harness/rounds.ts';
import { median } from '../harness/statistics.ts';
import type { Samples } from './samples.ts';

/** A load that leaves half of two cores for the console. */
const AT_ONCE = 10;
const COUNT = 800;
const DELAY_MS = 50;
const WARM_UP = 5000;

/** The aim, in percent. */
const MAX_LOSS = 5;

/** The time between the start of the team's work and that of the payments. */
const LEAD_IN_MS = 2000;

/** The answer of the team's process at the end of a round. */
const workDone = z.object({ requests: z.int(), failures: z.int(), failure: z.string().optional(), p95_ms: z.number() });

/** Measures the slowdown of payments while a support team of twenty people uses the console, in turns with payments alone. */
export async function measurePaymentLoss(
  title: string,
  relay: Target,
  { samples, rounds, say }: { samples: Samples; rounds: number; say: Say },
): Promise<{ rows: Row[]; aims: Aim[] }> {
  const load: Load = { kind: 'payment', count: COUNT, pace: { concurrency: AT_ONCE }, delay_ms: DELAY_MS };
  const team = await startChild('console/support-team.ts');
  const [alone, beside]: [Figures[], Figures[]] = [[], []];
  const work: z.infer<typeof workDone>[] = [];
  try {
    await team.ask({ origin: relay.origin, samples }, z.literal('signed in'));
    say(`${title}: warm-up of payments`);
    await relay.run({ ...load, count: WARM_UP, delay_ms: 0, pace: { concurrency: 50 } });
    for (let round = 1; round <= rounds; round++) {
      say(`${title}: payments beside the console, round ${round} of ${rounds}`);
      const withTeam = async (): Promise<void> => {
        await team.ask('begin', z.literal('begun'));
        await setTimeout(LEAD_IN_MS);
        beside.push(await relay.run(load));
        work.push(await team.ask('end', workDone));
      };
      const without = async (): Promise<void> => {
        alone.push(await relay.run(load));
      };
      // The order alternates, because the second of two may find the machine warmer or busier.
      for (const turn of round % 2 === 0 ? [withTeam, without] : [without, withTeam]) await turn();
    }
  } finally {
    await team.kill();
  }
  const failed = work.find(({ failures }) => failures > 0);
  if (failed) throw new TypeError(`${failed.failures} requests of the console failed: ${failed.failure}`);
  const lost = (of: (figures: Figures) => number, sign: 1 | -1): number =>
    compared(beside, alone, (own, base) => sign * 100 * (of(own) / of(base) - 1));
  return {
    rows: [
      { what: `${title}: payments alone`, figures: figuresOf(alone) },
      {
        what: `${title}: payments beside the console`,
        figures: {
          ...figuresOf(beside),
          'console, requests': median(work.map(({ requests }) => requests)),
          'console, p95 ms': median(work.map(({ p95_ms }) => p95_ms)),
        },
      },
    ],
    aims: [
      atMost(
        `${title}: payments a second that the console costs`,
        lost(({ per_second }) => per_second, -1),
        MAX_LOSS,
        ' %',
      ),
      atMost(
        `${title}: p95 of a payment that the console adds`,
        lost(({ p95_ms }) => p95_ms, 1),
        MAX_LOSS,
        ' %',
      ),
    ],
  };
}

function figuresOf(rounds: readonly Figures[]): Record<string, number> {
  return {
    'per s': medianOf(rounds, ({ per_second }) => per_second),
    'CPU µs': medianOf(rounds, ({ cpu_us }) => cpu_us),
    'p50 ms': medianOf(rounds, ({ p50_ms }) => p50_ms),
    'p95 ms': medianOf(rounds, ({ p95_ms }) => p95_ms),
    'p99 ms': medianOf(rounds, ({ p99_ms }) => p99_ms),
  };
}
