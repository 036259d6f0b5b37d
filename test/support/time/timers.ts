import { onTestFinished } from 'vitest';

/**
 * From now on no timer of exactly `ms` milliseconds ends in this process, until `release`, which ends all held timers
 * (`kept` returns their number), or until the test is over. What happens meanwhile did not wait for such a timer,
 * however slow the machine is.
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
