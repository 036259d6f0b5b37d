import { setTimeout } from 'node:timers/promises';
import { Pool } from 'undici';
import { z } from 'zod';
import { median, quantile } from '../harness/statistics.ts';
import { requestsOf, type Visit, visits } from '../harness/visits.ts';
import { answerQuestions, sayListening } from './ipc.ts';

/**
 * Makes visits, to each origin in turn, as a closed loop (a fixed number at any time) or an open loop (a fixed number begin in each
 * second). The time of a visit ends when its last answer is read.
 */
const question = z.object({
  origins: z.array(z.string()),
  pace: z.union([z.object({ concurrency: z.int() }), z.object({ per_second: z.number() })]),
  visits,
  /** Whether to return the last answer of each visit. */
  keep: z.boolean().default(false),
});

/** The share of an open loop whose times are not counted: its first visits open new connections. */
const LEAD_IN = 0.1;

let payments = 0;

answerQuestions(async (message) => {
  const { origins, pace, visits, keep } = question.parse(message);
  const connections = 'concurrency' in pace ? Math.ceil(pace.concurrency / origins.length) : null;
  const pools = origins.map((origin) => new Pool(origin, { connections }));
  let begun = 0;
  const times: number[] = [];
  const failures: string[] = [];
  const answers: string[] = [];
  const make = async (visit: Visit, since: number, counts = true): Promise<void> => {
    let text = '';
    const pool = pools[begun++ % pools.length];
    for (const { expects, ...request } of visit) {
      const answer = await pool?.request(request);
      text = (await answer?.body.text()) ?? '';
      if (answer?.statusCode !== 200 || !expects.test(text))
        failures.push(`${request.path}: ${answer?.statusCode} ${text.slice(0, 500)}`);
    }
    if (counts) times.push(performance.now() - since);
    if (keep) answers.push(text);
  };
  // Built before the clock starts, so that only sending them is measured.
  const all = requestsOf(visits, () => ++payments);
  const start = performance.now();
  if ('concurrency' in pace) await closedLoop(all, pace.concurrency, make);
  else await openLoop(all, pace.per_second, make);
  const seconds = (performance.now() - start) / 1000;
  await Promise.all(pools.map((pool) => pool.close()));
  const [failure] = failures;
  return {
    seconds,
    p50_ms: median(times),
    p95_ms: quantile(times, 0.95),
    p99_ms: quantile(times, 0.99),
    failures: failures.length,
    failure,
    answers,
  };
});

/** Makes a visit whose time starts at `since`. */
type MakeVisit = (visit: Visit, since: number, counts?: boolean) => Promise<void>;

/** Makes `concurrency` visits at any time: the next begins when one ends. */
async function closedLoop(all: readonly Visit[], concurrency: number, make: MakeVisit): Promise<void> {
  const left = all.values();
  const visitor = async (): Promise<void> => {
    for (const visit of left) await make(visit, performance.now());
  };
  await Promise.all(Array.from({ length: concurrency }, visitor));
}

/** Begins visits at a fixed rate, however long others take. The time of each starts when it should have begun. */
async function openLoop(all: readonly Visit[], perSecond: number, make: MakeVisit): Promise<void> {
  const start = performance.now();
  const made: Promise<void>[] = [];
  for (const [at, visit] of all.entries()) {
    const due = start + (at * 1000) / perSecond;
    const early = due - performance.now();
    if (early > 0) await setTimeout(Math.ceil(early));
    made.push(make(visit, due, at >= all.length * LEAD_IN));
  }
  await Promise.all(made);
}

sayListening(0);
