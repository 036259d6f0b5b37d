import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { startChild } from '../harness/child.ts';
import type { Figures, Load, Target } from '../harness/measure.ts';
import { type Target as Aim, atMost, type Row } from '../harness/report.ts';
import { compared, median, middle } from '../harness/rounds.ts';
import type { Samples } from './samples.ts';

/** Half of what two cores can take, so that there is room for a console at all. */
const AT_ONCE = 10;
const COUNT = 800;
const DELAY_MS = 50;
const WARM_UP = 5000;

/** In percent. */
const MAX_LOSS = 5;

/** How long people look around before payments begin again. */
const LEAD_IN_MS = 2000;

const told = z.object({ requests: z.int(), failures: z.int(), failure: z.string().optional(), p95_ms: z.number() });

/** What payments lose while a support team of twenty people works at the console, in turns with payments alone. */
export async function besidePayments(
  title: string,
  relay: Target,
  { samples, rounds, say }: { samples: Samples; rounds: number; say: (line: string) => void },
): Promise<{ rows: Row[]; targets: Aim[] }> {
  const load: Load = { kind: 'payment', count: COUNT, pace: { concurrency: AT_ONCE }, delay_ms: DELAY_MS };
  const people = await startChild('team.ts');
  const [alone, beside]: [Figures[], Figures[]] = [[], []];
  const work: z.infer<typeof told>[] = [];
  try {
    await people.ask({ origin: relay.origin, samples }, z.literal('signed in'));
    say(`${title}: warm-up of payments`);
    await relay.run({ ...load, count: WARM_UP, delay_ms: 0, pace: { concurrency: 50 } });
    for (let round = 1; round <= rounds; round++) {
      say(`${title}: payments beside the console, round ${round} of ${rounds}`);
      const withTeam = async (): Promise<void> => {
        await people.ask('begin', z.literal('begun'));
        await setTimeout(LEAD_IN_MS);
        beside.push(await relay.run(load));
        work.push(await people.ask('end', told));
      };
      const without = async (): Promise<void> => {
        alone.push(await relay.run(load));
      };
      // Whoever comes second may find the machine warmer, or busier.
      for (const turn of round % 2 === 0 ? [withTeam, without] : [without, withTeam]) await turn();
    }
  } finally {
    await people.kill();
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
    targets: [
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
    'per s': middle(rounds, ({ per_second }) => per_second),
    'CPU µs': middle(rounds, ({ cpu_us }) => cpu_us),
    'p50 ms': middle(rounds, ({ p50_ms }) => p50_ms),
    'p95 ms': middle(rounds, ({ p95_ms }) => p95_ms),
    'p99 ms': middle(rounds, ({ p99_ms }) => p99_ms),
  };
}
