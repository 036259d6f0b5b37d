import type { Server } from 'node:http';

/** Answers the questions that the parent process asks over IPC (`startChild`), and exits when the parent does. */
export function answerQuestions(answer: (question: unknown) => Promise<unknown> | unknown): void {
  process.on('message', async (question) => {
    const reply = await answer(question);
    process.send?.({ reply });
  });
  process.once('disconnect', () => process.exit(0));
}

/** Sends the parent the port of this process; 0 if it has none. */
export function sayListening(port: number): void {
  process.send?.({ reply: { port } });
}

/** Sends the parent the port of a listening server. */
export function sayListeningAt(server: Server): void {
  const address = server.address();
  sayListening(typeof address === 'object' && address ? address.port : 0);
}

/** The CPU that this process has used with all its threads, in microseconds. */
export function cpuUsage(): { cpu_us: number } {
  const { user, system } = process.cpuUsage();
  return { cpu_us: user + system };
}
