import { parentPort, Worker } from 'node:worker_threads';
import { StoreError } from '../../base/errors.ts';

/** How long a task may take. */
const LIMIT_MS = 30_000;

/** Pages of attempts and the figures of a year need a fraction of it; a thread that needs more is ended. */
const MAX_HEAP_MB = 256;

/** A relay that has just started takes payments first, unless tallies are due. */
const START_MS = 1000;

/** A thread that computes figures beside the one that takes payments. It is started when it is first needed, and stays. */
export type Thread = {
  /** Starts it soon, so that a later task need not wait for that. */
  start(): void;
  /** Rejects with StoreError: the task failed or took too long, the thread ended, or the store is closed. */
  ask<Result>(task: object): Promise<Result>;
  /** Ends it. */
  close(): Promise<void>;
};

type Running = { worker: Worker; fails: Map<number, (error?: unknown) => void> };

/** @param file the code of the thread, which answers by `answerTasks`; `workerData` is what it gets once. */
export function createThread(file: string, workerData: unknown, limitMs = LIMIT_MS, startMs = START_MS): Thread {
  let running: Running | undefined;
  let starting: NodeJS.Timeout | undefined;
  let isClosed = false;
  let tasks = 0;

  const startWorker = (): Running => {
    // Its errors may quote what is stored.
    const worker = new Worker(file, {
      workerData,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    worker.setMaxListeners(0);
    const started: Running = { worker, fails: new Map() };
    const end = (error?: unknown): void => {
      if (running === started) running = undefined;
      for (const fail of started.fails.values()) fail(error);
    };
    worker.once('error', end);
    worker.once('exit', () => end());
    return started;
  };

  return {
    start() {
      if (isClosed || running) return;
      starting ??= setTimeout(() => {
        starting = undefined;
        if (running) return;
        running = startWorker();
        running.worker.unref();
      }, startMs).unref();
    },
    async ask(task) {
      if (isClosed) throw new StoreError('the store is closed');
      running ??= startWorker();
      const { worker, fails } = running;
      const id = ++tasks;
      const timer = setTimeout(() => worker.terminate(), limitMs);
      worker.ref();
      try {
        return await answerOf(worker, { id, task }, (fail) => fails.set(id, fail));
      } catch (error) {
        throw new StoreError('figures cannot be computed', { cause: error });
      } finally {
        clearTimeout(timer);
        fails.delete(id);
        // A process need not wait for a thread that has nothing to do.
        if (fails.size === 0) worker.unref();
      }
    },
    async close() {
      isClosed = true;
      clearTimeout(starting);
      await running?.worker.terminate();
    },
  };
}

/** Posts a task and waits for its answer. `onEnd` gets what is to be called where the thread ends before. */
async function answerOf<Result>(
  worker: Worker,
  asked: { id: number; task: object },
  onEnd: (fail: (error?: unknown) => void) => void,
): Promise<Result> {
  let listener: Parameters<Worker['on']>[1] | undefined;
  try {
    return await new Promise<Result>((settle, fail) => {
      onEnd(fail);
      listener = (message) => {
        if (message.id !== asked.id) return;
        if (message.isDone) settle(message.result);
        else fail();
      };
      worker.on('message', listener);
      worker.postMessage(asked);
    });
  } finally {
    if (listener) worker.off('message', listener);
  }
}

/** What a thread posts for a task. Nothing is told of a failure: its text may quote what is stored. */
type TaskAnswer = { id: number; isDone: boolean; result?: unknown };

/** Lets this thread answer tasks, several at a time. */
export function answerTasks<Task>(answer: (task: Task) => Promise<unknown>): void {
  const post = (one: TaskAnswer): void => parentPort?.postMessage(one);
  parentPort?.on('message', ({ id, task }: { id: number; task: Task }) => {
    answer(task).then(
      (result) => post({ id, isDone: true, result }),
      () => post({ id, isDone: false }),
    );
  });
}
