/**
 * Limits a read: at most one runs at a time, all calls made meanwhile share its result, and the result is reused for
 * `keepMs`. It is undefined if the read fails or takes longer than `withinMs`.
 */
export function bounded<Answer>(
  read: () => Promise<Answer>,
  { withinMs, keepMs }: { withinMs: number; keepMs: number },
): () => Promise<Answer | undefined> {
  let latest: { at: number; answer: Promise<Answer | undefined>; isRunning: boolean } | undefined;
  const readOnce = (): Promise<Answer | undefined> => {
    if (latest && (latest.isRunning || performance.now() - latest.at < keepMs)) return latest.answer;
    const reading = { at: performance.now(), answer: read().catch(() => undefined), isRunning: true };
    reading.answer.finally(() => {
      reading.isRunning = false;
      reading.at = performance.now();
    });
    latest = reading;
    return reading.answer;
  };
  return () => within(readOnce(), withinMs);
}

/** Returns the value of a promise, or undefined if it takes longer than `ms`. */
export function within<Answer>(answer: Promise<Answer>, ms: number): Promise<Answer | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms, undefined);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
