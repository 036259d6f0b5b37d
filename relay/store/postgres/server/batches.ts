/** What waits for its turn. `start` is when it came, in the milliseconds of `performance.now`. */
export type Job<Given, Result> = {
  given: Given;
  start: number;
  fulfil: (result: Result) => void;
  reject: (error: unknown) => void;
};

export type BatchOptions<Given, Result> = {
  /** How many batches are under way at any time. */
  lanes: number;
  /** How many jobs a batch has at the most. */
  limit: number;
  /** What two jobs of one batch may not have in common. */
  keysOf: (given: Given) => readonly string[];
  /** Does the work of a batch that began waiting at `start`. Gives as many results as it was given jobs, in their order. */
  run: (batch: readonly Given[], start: number) => Promise<Result[]>;
  /** Whether nothing was done of a batch that was rejected with this error, so that its jobs may be run again. */
  mayRepeat: (error: unknown) => boolean;
};

/** While one batch is on its way to the disk and back, the next one gathers. */
export const twoLanes = { lanes: 2, limit: 50 };

/**
 * Work that costs less together. A lone job goes at once; jobs gather while every lane is busy. What fails a batch is the
 * fault of one job, so its halves are then run by themselves. Gives the function that adds a job.
 */
export function createBatches<Given, Result>(options: BatchOptions<Given, Result>): (given: Given) => Promise<Result> {
  const { lanes, limit, keysOf, run, mayRepeat } = options;
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

  const finish = async (batch: readonly Job<Given, Result>[]): Promise<void> => {
    try {
      // The first one has waited longest.
      const results = await run(
        batch.map(({ given }) => given),
        batch[0]?.start ?? 0,
      );
      for (const [i, job] of batch.entries()) {
        const result = results[i];
        if (result === undefined) throw new TypeError('a batch gave too few results');
        job.fulfil(result);
      }
    } catch (error) {
      if (batch.length > 1 && mayRepeat(error)) {
        const half = batch.length >> 1;
        await finish(batch.slice(0, half));
        await finish(batch.slice(half));
      } else for (const job of batch) job.reject(error);
    }
  };

  const work = async (): Promise<void> => {
    busy += 1;
    while (waiting.length > 0) await finish(nextBatch());
    busy -= 1;
  };

  return (given) =>
    new Promise((fulfil, reject) => {
      waiting.push({ given, start: performance.now(), fulfil, reject });
      if (busy < lanes) void work();
    });
}
