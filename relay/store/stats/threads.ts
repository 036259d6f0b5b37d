import { once } from 'node:events';
import { MessageChannel, type MessagePort, parentPort, Worker } from 'node:worker_threads';
import { StoreError } from '../../base/errors.ts';

/** The message of every failure: the thread's own text may quote stored data. */
export const NOT_COMPUTED = 'figures cannot be computed';

/** The maximum duration of a task. */
const LIMIT_MS = 30_000;

/** Pages of attempts and the figures of a year need a fraction of it. A thread that needs more is ended. */
const MAX_HEAP_MB = 256;

/** A relay that has just started handles payments first. Figures that are requested earlier start the thread at once. */
const START_MS = 10_000;

/** A thread that computes figures beside the thread of payments. It is started when it is first needed, and stays. */
export type Thread<Task = object> = {
  /** Starts it soon, so that a later task does not wait for that. */
  start(): void;
  /** Rejects with StoreError if the task failed or took too long, the thread ended, or the store is closed. */
  ask<Result>(task: Task): Promise<Result>;
  /** Lets another thread, with new `workerData`, answer later tasks. This one has time to finish its own. */
  renew(): void;
  /** Ends it. */
  close(): Promise<void>;
};

/** @param file the code of the thread, which calls `answerTasks`; `workerData` is its input */
export function createThread<Task = object>(
  file: string,
  workerData: () => unknown,
  limitMs = LIMIT_MS,
  startMs = START_MS,
): Thread<Task> {
  let running: { worker: Worker; ended: AbortSignal } | undefined;
  let starting: NodeJS.Timeout | undefined;
  let isClosed = false;

  const startWorker = (): { worker: Worker; ended: AbortSignal } => {
    // Its errors may quote stored data.
    const worker = new Worker(file, {
      workerData: workerData(),
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    // An idle thread does not keep the process alive.
    worker.unref();
    const end = new AbortController();
    const started = { worker, ended: end.signal };
    const hasEnded = (error?: unknown): void => {
      if (running === started) running = undefined;
      end.abort(error);
    };
    worker.once('error', hasEnded);
    worker.once('exit', () => hasEnded());
    return started;
  };

  return {
    start() {
      if (isClosed || running) return;
      starting ??= setTimeout(() => {
        starting = undefined;
        running ??= startWorker();
      }, startMs).unref();
    },
    async ask(task) {
      if (isClosed) throw new StoreError('the store is closed');
      running ??= startWorker();
      const { worker, ended } = running;
      const { port1, port2 } = new MessageChannel();
      const timer = setTimeout(() => worker.terminate(), limitMs);
      worker.postMessage({ task, port: port2 }, [port2]);
      try {
        const [answer] = await once(port1, 'message', { signal: ended });
        if (!answer.isDone) throw new StoreError('the task failed', { reason: answer.reason });
        return answer.result;
      } catch (error) {
        const reason = error instanceof StoreError ? error.reason : undefined;
        throw new StoreError(NOT_COMPUTED, { cause: error, reason });
      } finally {
        clearTimeout(timer);
        port1.close();
      }
    },
    renew() {
      const before = running;
      running = undefined;
      if (before) setTimeout(() => before.worker.terminate(), limitMs).unref();
    },
    async close() {
      isClosed = true;
      clearTimeout(starting);
      await running?.worker.terminate();
    },
  };
}

/** Lets this thread answer tasks, several at a time. */
export function answerTasks<Task>(answer: (task: Task) => Promise<unknown>): void {
  parentPort?.on('message', ({ task, port }: { task: Task; port: MessagePort }) => {
    answer(task).then(
      (result) => port.postMessage({ isDone: true, result }),
      // The text of a failure may quote stored data; its reason is a code.
      (error: unknown) =>
        port.postMessage({ isDone: false, reason: error instanceof StoreError ? error.reason : undefined }),
    );
  });
}
