import type { Logger } from './log.ts';

/** Work that no request asks for, done again and again. */
export type Rounds = { stop(): Promise<void> };

/** Runs `round`, pauses, and so on until stopped. `stop` waits for the round that runs. What a round throws is logged. */
export function startRounds(log: Logger, name: string, everyMs: number, round: () => Promise<void>): Rounds {
  const stopping = new AbortController();
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await round().catch((error: unknown) => logFailure(log, name, error));
      await pause(everyMs, stopping.signal);
    }
  };
  const done = loop();
  return {
    async stop() {
      stopping.abort();
      await done;
    },
  };
}

/** Logs that some work failed: never the error's text, which may quote what was handled. */
export function logFailure(log: Logger, name: string, error: unknown): void {
  log.error({ round: name, error: error instanceof Error ? error.name : 'unknown' }, 'a round failed');
}

function pause(ms: number, stopping: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, ms);
    stopping.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        done();
      },
      { once: true },
    );
    if (stopping.aborted) done();
  });
}
