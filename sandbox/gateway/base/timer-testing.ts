import type { After } from './clock.ts';

type Timer = { at: number; run: () => void };

/** Timers for tests, which fire when the test says that time has passed. */
export function manualTimers() {
  let now = 0;
  let timers: Timer[] = [];
  const after: After = (ms, run) => {
    const timer = { at: now + ms, run };
    timers.push(timer);
    return () => {
      timers = timers.filter((other) => other !== timer);
    };
  };
  return {
    after,
    /** How long each timer still waits, in milliseconds, the next one first. */
    waiting: () => timers.map(({ at }) => at - now).sort((one, other) => one - other),
    /** Fires what falls due within so many milliseconds, in order. */
    pass(ms: number): void {
      now += ms;
      const due = timers.filter(({ at }) => at <= now).sort((one, other) => one.at - other.at);
      timers = timers.filter(({ at }) => at > now);
      for (const { run } of due) run();
    },
  };
}
