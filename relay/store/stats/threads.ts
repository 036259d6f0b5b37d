import { Worker } from 'node:worker_threads';
import { StoreError } from '../../base/errors.ts';
import type { StoredStats } from './search.ts';

/** How long figures may take to compute. */
const LIMIT_MS = 30_000;

/** A page of attempts and the figures of a year need a fraction of it; a thread that needs more is ended. */
const MAX_HEAP_MB = 256;

/** Threads that compute figures beside the one that takes payments: one a question, started when it is asked. */
export type Threads = {
  /** Rejects with StoreError: the thread failed, took too long, or the store is closed. */
  ask(task: object): Promise<StoredStats>;
  /** Ends those that run. */
  close(): Promise<void>;
};

/** @param file the code of a thread: it gets the task as `workerData`, and posts the figures. */
export function createThreads(file: string, limitMs = LIMIT_MS): Threads {
  const running = new Set<Worker>();
  let isClosed = false;
  return {
    async ask(task) {
      if (isClosed) throw new StoreError('the store is closed');
      const worker = new Worker(file, {
        workerData: task,
        // Its errors may quote what is stored.
        stderr: true,
        resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
      });
      running.add(worker);
      const timer = setTimeout(() => worker.terminate(), limitMs);
      try {
        return await answerOf(worker);
      } catch (error) {
        throw error instanceof StoreError ? error : new StoreError('figures cannot be computed', { cause: error });
      } finally {
        clearTimeout(timer);
        running.delete(worker);
        await worker.terminate();
      }
    },
    async close() {
      isClosed = true;
      await Promise.all([...running].map((worker) => worker.terminate()));
    },
  };
}

/** The thread's one message. Rejects with the error that it ends with, or where it is ended without one. */
function answerOf(worker: Worker): Promise<StoredStats> {
  return new Promise((settle, fail) => {
    worker.once('message', settle);
    worker.once('error', fail);
    worker.once('exit', () => fail(new StoreError('figures were not computed in time')));
  });
}
