import { StoreError } from '../../base/errors.ts';
import { collect } from './collect.ts';
import type { StatsReads, StatsSearch, StatsSpan, StatsStep, StoredStats } from './search.ts';
import { nextStep } from './step.ts';
import { answerTasks, createThread, NOT_COMPUTED } from './threads.ts';

/** Computes figures, and the next step of tallies. Rejects with StoreError. */
export type StatsReader = {
  /** Prepares the reader, so that a later call does not wait for that. */
  start(): void;
  figures(search: StatsSearch): Promise<StoredStats>;
  step(span: StatsSpan): Promise<StatsStep | undefined>;
  /** Lets later tasks read with new `workerData`. */
  renew(): void;
  close(): Promise<void>;
};

type StatsTask = { kind: 'figures'; search: StatsSearch } | { kind: 'step'; span: StatsSpan };

/**
 * A reader in a separate thread, so that it does not delay the thread of payments.
 * @param file the code of the thread, which calls `answerStats`; `workerData` is its input
 */
export function threadReader(file: string, workerData: () => object): StatsReader {
  const thread = createThread<StatsTask>(file, workerData);
  return {
    ...thread,
    figures: (search) => thread.ask({ kind: 'figures', search }),
    step: (span) => thread.ask({ kind: 'step', span }),
  };
}

/** Lets this thread answer the tasks of `threadReader`. */
export function answerStats(reads: StatsReads): void {
  answerTasks((task: StatsTask) =>
    task.kind === 'figures' ? collect(reads, task.search) : nextStep(reads, task.span),
  );
}

/** A reader in this thread, for data that no other thread can read. */
export function localReader(reads: StatsReads): StatsReader {
  const computed = async <Result>(result: Promise<Result>): Promise<Result> => {
    try {
      return await result;
    } catch (error) {
      throw error instanceof StoreError ? error : new StoreError(NOT_COMPUTED, { cause: error });
    }
  };
  return {
    start: () => undefined,
    figures: (search) => computed(collect(reads, search)),
    step: (span) => computed(nextStep(reads, span)),
    renew: () => undefined,
    close: async () => undefined,
  };
}
