/**
 * A question that is asked at most once at a time and answered within `withinMs`, whoever asks and however often: callers
 * that ask meanwhile share the answer, which is good for `keepMs`. The answer is undefined when there is none in time, or
 * when the question fails.
 */
export function bounded<Answer>(
  question: () => Promise<Answer>,
  { withinMs, keepMs }: { withinMs: number; keepMs: number },
): () => Promise<Answer | undefined> {
  let asked: { at: number; answer: Promise<Answer | undefined>; isRunning: boolean } | undefined;
  const ask = (): Promise<Answer | undefined> => {
    if (asked && (asked.isRunning || performance.now() - asked.at < keepMs)) return asked.answer;
    const asking = { at: performance.now(), answer: question().catch(() => undefined), isRunning: true };
    asking.answer.finally(() => {
      asking.isRunning = false;
      asking.at = performance.now();
    });
    asked = asking;
    return asking.answer;
  };
  return () => within(ask(), withinMs);
}

/** What a promise is fulfilled with, or undefined when that takes longer. */
export async function within<Answer>(answer: Promise<Answer>, ms: number): Promise<Answer | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(late.resolve, ms);
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
