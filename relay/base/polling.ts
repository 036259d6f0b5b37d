import { failureFields, type Logger, traced } from './log.ts';

/** Work without a request that repeats until it is stopped. */
export type Polling = { stop(): Promise<void> };

/** Wakes the waiting worker. A wake-up without a waiting worker is kept for the next wait. */
export type WakeUp = { wake(): void; wait(ms: number): Promise<void> };

/**
 * Polls repeatedly until stopped. Between two polls it waits for the wake-up, but at most `everyMs`. `stop` aborts the signal of the running
 * poll and waits for its end. Errors of polls are logged.
 */
export function startPolling(
  log: Logger,
  name: string,
  everyMs: number,
  poll: (stopping: AbortSignal) => Promise<void>,
  wakeUp: WakeUp = createWakeUp(),
): Polling {
  const stopping = new AbortController();
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await poll(stopping.signal).catch((error: unknown) => logFailure(log, name, error));
      if (!stopping.signal.aborted) await wakeUp.wait(everyMs);
    }
  };
  const done = traced({ poller: name }, loop);
  return {
    async stop() {
      stopping.abort();
      wakeUp.wake();
      await done;
    },
  };
}

/** Work of several accounts that no poll waits for. */
export type AccountWork = {
  /** Whether no work of the account runs. */
  isIdle(account: string): boolean;
  /** Starts the work of an idle account. Its errors are logged. */
  start(account: string, work: () => Promise<void>): void;
  /** Waits for the end of all running work. */
  idle(): Promise<void>;
};

/** Runs the work of each account independently: a gateway that is slow for one account delays no other account. */
export function createAccountWork(log: Logger, name: string): AccountWork {
  const running = new Map<string, Promise<void>>();
  return {
    isIdle: (account) => !running.has(account),
    start(account, work) {
      const run = work()
        .catch((error: unknown) => logFailure(log, name, error))
        .finally(() => running.delete(account));
      running.set(account, run);
    },
    async idle() {
      await Promise.all(running.values());
    },
  };
}

/**
 * Logs a failure without the error's text, which may quote data. A failure because of a lost store is a warning: the
 * outage has its own line.
 */
export function logFailure(log: Logger, name: string, error: unknown): void {
  const fields = { poller: name, ...failureFields(error) };
  if (fields.reason === undefined) log.error(fields, 'poll failed, will retry');
  else log.warn(fields, 'poll failed, will retry');
}

/** Creates a wake-up with a maximum wait of `ms`. Only one worker may wait at a time. */
export function createWakeUp(): WakeUp {
  let woken = Promise.withResolvers<void>();
  return {
    wake: () => woken.resolve(),
    async wait(ms) {
      const timer = setTimeout(woken.resolve, ms);
      await woken.promise;
      clearTimeout(timer);
      woken = Promise.withResolvers<void>();
    },
  };
}

/** Waits for the wake-up, or until `stopping` is aborted. */
export function pause(ms: number, stopping: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const end = (): void => {
      clearTimeout(timer);
      stopping.removeEventListener('abort', end);
      done();
    };
    const timer = setTimeout(end, ms);
    stopping.addEventListener('abort', end);
    if (stopping.aborted) end();
  });
}
