import { gather } from '../../gather.ts';
import { CALL_MS, isOver, notSent } from './database.ts';
import { PostgresFault, storeError, wasLocked } from './errors.ts';

/** What waits for its turn. `start` is when it came, in the milliseconds of `performance.now`. */
export type Job<Given, Result> = {
  given: Given;
  start: number;
  fulfil: (result: Result) => void;
  reject: (error: unknown) => void;
};

type Batching<Given> = {
  /** What two jobs of one batch may not have in common. */
  keysOf: (given: Given) => readonly string[];
  /** Whether nothing was done of a batch that was rejected with this error, so that its jobs may be run again. */
  mayRepeat: (error: unknown) => boolean;
};

type BatchOptions<Given, Result> = Batching<Given> & {
  /** Does the work of a batch that began waiting at `start`. Gives as many results as it was given jobs, in their order. */
  run: (batch: readonly Given[], start: number) => Promise<Result[]>;
};

type WriteOptions<Given, Result> = Batching<Given> & {
  /** Likewise, for work that waits for locks: for `lockMs` at the most, for each. */
  run: (batch: readonly Given[], start: number, lockMs: number) => Promise<Result[]>;
};

/**
 * While one batch is on its way to the disk and back, the next one gathers: how many at a time, of how many jobs each. Two at
 * a time are half as large, and cost the server and the relay more (`npm run bench -- store`).
 */
const ONE = { lanes: 1, limit: 50 };

/** Jobs that wait for a lock do so one by one, and leave the other connections to the others. */
const PATIENT = { lanes: 3, limit: 1 };

/** How long a batch waits for a lock, which may be that of one job alone. */
const BATCH_LOCK_MS = 100;

/**
 * Work that costs less together. A lone job goes at once; jobs gather (see `gather`) and while every lane is busy. What fails a batch is the
 * fault of one job, so its halves are then run by themselves. Gives the function that adds a job; it rejects with StoreError,
 * and then nothing was sent of a job that waited too long.
 */
export function createBatches<Given, Result>(options: BatchOptions<Given, Result>): (given: Given) => Promise<Result> {
  const add = createLanes(ONE, options);
  return (given) => add(given, performance.now());
}

/**
 * The same for work that waits for locks. A job whose lock somebody keeps leaves the batches and waits apart, so that it
 * delays none of the others for long.
 */
export function createWriteBatches<Given, Result>(
  options: WriteOptions<Given, Result>,
): (given: Given) => Promise<Result> {
  const { run, ...batching } = options;
  const add = createLanes(ONE, { ...batching, run: (batch, start) => run(batch, start, BATCH_LOCK_MS) });
  const addPatient = createLanes(PATIENT, { ...batching, run: (batch, start) => run(batch, start, CALL_MS) });
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
  { lanes, limit }: { lanes: number; limit: number },
  { keysOf, run, mayRepeat }: BatchOptions<Given, Result>,
): (given: Given, start: number) => Promise<Result> {
  let waiting: Job<Given, Result>[] = [];
  let busy = 0;

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

  /** The jobs of a batch that there is still time for; the others are rejected. */
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
      );
      for (const [i, job] of batch.entries()) {
        const result = results[i];
        if (result === undefined) throw new PostgresFault('the server gave too few results');
        job.fulfil(result);
      }
    } catch (error) {
      if (batch.length > 1 && mayRepeat(error)) {
        const half = batch.length >> 1;
        await finish(batch.slice(0, half));
        await finish(batch.slice(half));
      } else for (const job of batch) job.reject(storeError(error));
    }
  };

  const work = (): void => {
    gather(
      () => waiting.length,
      () => void finish(nextBatch()).then(workOn),
    );
  };

  const workOn = (): void => {
    if (waiting.length > 0) work();
    else busy -= 1;
  };

  return (given, start) =>
    new Promise((fulfil, reject) => {
      waiting.push({ given, start, fulfil, reject });
      if (busy === lanes) return;
      busy += 1;
      work();
    });
}
