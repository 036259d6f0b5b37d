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

/** The CPU that this process has used with all its threads, in microseconds. */
export function usage(): object {
  const { user, system } = process.cpuUsage();
  return { cpu_us: user + system };
}
