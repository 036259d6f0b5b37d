import { onTestFinished } from 'vitest';

/**
 * Holds all timers of exactly `ms` milliseconds in this process, until `release` ends them or the test is over. Events before
 * `release` therefore did not wait for such a timer, even on a slow machine. `kept` returns the number of held timers.
 */
export function keepTimers(ms: number): { kept(): number; release(): void } {
  const { setTimeout: originalTimeout } = globalThis;
  const kept: { timer: NodeJS.Timeout; end: () => void }[] = [];
  const keeping = <Args extends unknown[]>(run: (...args: Args) => void, after = 1, ...args: Args): NodeJS.Timeout => {
    if (after !== ms) return originalTimeout(run, after, ...args);
    const timer = originalTimeout(() => undefined, LONG_MS);
    kept.push({ timer, end: () => run(...args) });
    return timer;
  };
  globalThis.setTimeout = Object.assign(keeping, originalTimeout);
  const release = (): void => {
    globalThis.setTimeout = originalTimeout;
    for (const { timer, end } of kept.splice(0)) {
      clearTimeout(timer);
      end();
    }
  };
  onTestFinished(release);
  return { kept: () => kept.length, release };
}

const LONG_MS = 2_000_000_000;
