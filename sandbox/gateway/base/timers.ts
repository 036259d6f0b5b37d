/** Runs something once after this many milliseconds; the function it gives calls that off. */
export type After = (ms: number, run: () => void) => () => void;

/** By the real clock. What is still to come does not keep the process alive. */
export const after: After = (ms, run) => {
  const timer = setTimeout(run, ms).unref();
  return () => clearTimeout(timer);
};
