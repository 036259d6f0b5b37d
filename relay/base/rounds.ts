import { failureFields, type Logger } from './log.ts';
import { traced } from './trace.ts';

/** Work that no request asks for, done again and again. */
export type Rounds = { stop(): Promise<void> };

/** Wakes whoever waits for work. A ring that comes while nobody waits is heard by the next who does. */
export type Bell = { ring(): void; wait(ms: number): Promise<void> };

/**
 * Runs `round`, waits until the bell rings but at most `everyMs`, and so on until stopped. `stop` waits for the round that
 * runs, which is told by its signal that it should come to an end. What a round throws is logged.
 */
export function startRounds(
  log: Logger,
  name: string,
  everyMs: number,
  round: (stopping: AbortSignal) => Promise<void>,
  bell: Bell = createBell(),
): Rounds {
  const stopping = new AbortController();
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await round(stopping.signal).catch((error: unknown) => logFailure(log, name, error));
      if (!stopping.signal.aborted) await bell.wait(everyMs);
    }
  };
  const done = traced({ round: name }, loop);
  return {
    async stop() {
      stopping.abort();
      bell.ring();
      await done;
    },
  };
}

/** Logs that some work failed: never the error's text, which may quote what was handled. */
export function logFailure(log: Logger, name: string, error: unknown): void {
  log.error({ round: name, ...failureFields(error) }, 'a round failed');
}

/** A bell that waits for `ms` at the most. One waits at a time. */
export function createBell(): Bell {
  let rung = Promise.withResolvers<void>();
  return {
    ring: () => rung.resolve(),
    async wait(ms) {
      const timer = setTimeout(rung.resolve, ms);
      await rung.promise;
      clearTimeout(timer);
      rung = Promise.withResolvers<void>();
    },
  };
}

/** Waits, but no longer than until `stopping`. */
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
