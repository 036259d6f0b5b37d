import { setTimeout } from 'node:timers/promises';
import { Pool } from 'undici';
import { z } from 'zod';
import { requestsOf, type Visit, visits } from '../harness/visits.ts';
import { answerQuestions, sayListening } from './answer.ts';

/** Makes visits, to each origin in turn: so many at any time, or so many begun in each second. Each is timed until its last answer is read. */
const question = z.object({
  origins: z.array(z.string()),
  pace: z.union([z.object({ concurrency: z.int() }), z.object({ per_second: z.number() })]),
  visits,
  /** Whether to give the last answer of each visit back. */
  keep: z.boolean().default(false),
});

/** What comes by a schedule meets cold connections at first: this share of it is not counted. */
const LEAD_IN = 0.1;

let payments = 0;

answerQuestions(async (asked) => {
  const { origins, pace, visits, keep } = question.parse(asked);
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
  // Made before the clock starts: only the sending is measured.
  const all = requestsOf(visits, () => ++payments);
  const start = performance.now();
  if ('concurrency' in pace) await atOnce(all, pace.concurrency, make);
  else await onSchedule(all, pace.per_second, make);
  const seconds = (performance.now() - start) / 1000;
  await Promise.all(pools.map((pool) => pool.close()));
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  const [failure] = failures;
  return { seconds, p50_ms: at(0.5), p95_ms: at(0.95), p99_ms: at(0.99), failures: failures.length, failure, answers };
});

type Make = (visit: Visit, since: number, counts?: boolean) => Promise<void>;

/** A closed loop: whoever is answered makes room for the next. */
async function atOnce(all: readonly Visit[], concurrency: number, make: Make): Promise<void> {
  const left = all.values();
  const visitor = async (): Promise<void> => {
    for (const visit of left) await make(visit, performance.now());
  };
  await Promise.all(Array.from({ length: concurrency }, visitor));
}

/** An open loop: visits begin by the clock, however long others take, and each is timed from when it should have begun. */
async function onSchedule(all: readonly Visit[], perSecond: number, make: Make): Promise<void> {
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
