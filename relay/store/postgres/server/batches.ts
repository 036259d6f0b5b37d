import { whenGathered } from '../../../base/gathering.ts';
import { CALL_MS, isOver, notSent } from './connections.ts';
import { mayDoLess, PostgresFault, storeError, wasLocked } from './errors.ts';

/** A job of a batch; `start` is when it was added (`performance.now`). */
type Job<Given, Result> = {
  given: Given;
  start: number;
  fulfil: (result: Result) => void;
  reject: (error: unknown) => void;
};

type BatchOptions<Given, Result> = {
  /** The keys of a job. Jobs with a common key are never in one batch. */
  keysOf?: (given: Given) => readonly string[];
  /**
   * Does the jobs of a batch and returns their results in the same order.
   * @param start when the first of them was added (`performance.now`)
   * @param lockMs how long it may wait for each lock
   */
  run: (batch: readonly Given[], start: number, lockMs: number) => Promise<Result[]>;
};

/**
 * The maximum number of batches at the same time, at first and once one takes long, and the maximum number of jobs in
 * each.
 */
type Lanes = { atOnce: number; max: number; limit: number };

/**
 * While one batch runs, the next one gathers: two batches at a time would each be half as large, and cost more
 * together. If a batch takes long, because it waits for a lock or its connection hangs, others may pass it.
 */
const GATHERING: Lanes = { atOnce: 1, max: 3, limit: 50 };

/** How long jobs wait behind a batch before they pass it. */
const SLOW_BATCH_MS = 25;

/** Jobs that wait for a lock run one by one, and use few connections. */
const PATIENT: Lanes = { atOnce: 3, max: 3, limit: 1 };

/** How long a batch waits for a lock that perhaps only one of its jobs needs. */
const BATCH_LOCK_MS = 100;

/**
 * Does jobs in batches, which is cheaper. Jobs gather for a moment (`whenGathered`) and while a batch runs; a single
 * job runs at once. If a batch fails because of one of its jobs, its halves run separately. Returns the function that
 * adds a job. It rejects with StoreError; a job that waited too long was not sent.
 */
export function createBatches<Given, Result>(options: BatchOptions<Given, Result>): (given: Given) => Promise<Result> {
  const add = createLanes(GATHERING, options, BATCH_LOCK_MS);
  return (given) => add(given, performance.now());
}

/**
 * The same for jobs that need locks. A job whose lock is held runs again apart from the batches, so that it no longer
 * delays the others.
 */
export function createWriteBatches<Given, Result>(
  options: BatchOptions<Given, Result>,
): (given: Given) => Promise<Result> {
  const add = createLanes(GATHERING, options, BATCH_LOCK_MS);
  const addPatient = createLanes(PATIENT, options, CALL_MS);
  return async (given) => {
    const start = performance.now();
    try {
      return await add(given, start);
    } catch (error) {
      if (!wasLocked(error)) throw error;
      return addPatient(given, start);
    }
  };
}

function createLanes<Given, Result>(
  { atOnce, max, limit }: Lanes,
  { keysOf = () => [], run }: BatchOptions<Given, Result>,
  lockMs: number,
): (given: Given, start: number) => Promise<Result> {
  let waiting: Job<Given, Result>[] = [];
  let busy = 0;
  let passing: NodeJS.Timeout | undefined;

  const nextBatch = (): Job<Given, Result>[] => {
    const [batch, left]: [Job<Given, Result>[], Job<Given, Result>[]] = [[], []];
    const taken = new Set<string>();
    for (const job of waiting) {
      const keys = keysOf(job.given);
      (batch.length < limit && keys.every((key) => !taken.has(key)) ? batch : left).push(job);
      for (const key of keys) taken.add(key);
    }
    waiting = left;
    return batch;
  };

  /** The jobs that still have time. Rejects the others. */
  const inTime = (batch: readonly Job<Given, Result>[]): Job<Given, Result>[] =>
    batch.filter((job) => {
      const isLate = isOver(job.start);
      if (isLate) job.reject(storeError(notSent()));
      return !isLate;
    });

  const finish = async (all: readonly Job<Given, Result>[]): Promise<void> => {
    const batch = inTime(all);
    const [first] = batch;
    if (!first) return;
    try {
      // The first one has waited longest.
      const results = await run(
        batch.map(({ given }) => given),
        first.start,
        lockMs,
      );
      for (const [i, job] of batch.entries()) {
        const result = results[i];
        if (result === undefined) throw new PostgresFault('the server gave too few results');
        job.fulfil(result);
      }
    } catch (error) {
      if (batch.length > 1 && mayDoLess(error)) {
        const half = batch.length >> 1;
        await finish(batch.slice(0, half));
        await finish(batch.slice(half));
      } else for (const job of batch) job.reject(storeError(error));
    }
  };

  const begin = (): void => {
    busy += 1;
    whenGathered(() => waiting.length, send);
  };

  const send = (): void => {
    clearTimeout(passing);
    passing = undefined;
    const batch = nextBatch();
    if (waiting.length > 0) passLater();
    const sent = performance.now();
    void finish(batch).then(() => {
      // The jobs that passed a slow batch continue in its place.
      const isPassed = busy > atOnce && performance.now() - sent >= SLOW_BATCH_MS;
      if (waiting.length > 0 && !isPassed) whenGathered(() => waiting.length, send);
      else busy -= 1;
    });
  };

  const passLater = (): void => {
    if (busy === max) return;
    passing ??= setTimeout(() => {
      passing = undefined;
      if (waiting.length > 0 && busy < max) begin();
    }, SLOW_BATCH_MS);
  };

  return (given, start) =>
    new Promise((fulfil, reject) => {
      waiting.push({ given, start, fulfil, reject });
      if (busy < atOnce) begin();
      else passLater();
    });
}
