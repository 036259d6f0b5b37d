/** Answers the questions that the process which started this one asks over IPC, one after the other. */
export function answerQuestions(answer: (question: unknown) => Promise<unknown> | unknown): void {
  process.on('message', async (question) => {
    const reply = await answer(question);
    process.send?.({ reply });
  });
  process.once('disconnect', () => process.exit(0));
}

/** Says where this process listens. */
export function sayListening(port: number): void {
  process.send?.({ reply: { port } });
}

/** What a process answers when it is asked for its `cpu` (microseconds, of all its threads) or `memory` (bytes). */
export function usage(question: unknown): object {
  if (question === 'memory') {
    globalThis.gc?.();
    const { rss, heapUsed, external } = process.memoryUsage();
    return { rss, heap: heapUsed + external };
  }
  const { user, system } = process.cpuUsage();
  return { cpu_us: user + system };
}
