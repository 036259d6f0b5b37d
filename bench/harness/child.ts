import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** A process of a benchmark, which answers one question at a time over IPC (processes/ipc.ts). */
export type Child = {
  port: number;
  ask<Answer>(question: string | number | object, answer: z.ZodType<Answer>): Promise<Answer>;
  /** Resolves when the process has ended. */
  ended: Promise<void>;
  /** Ends it with SIGKILL. */
  kill(): Promise<void>;
};

class ChildEnded extends Error {
  override readonly name = 'ChildEnded';
  readonly code = 'child_ended';
}

type Options = { env?: Record<string, string>; log?: string };

/** Starts a file of `bench/` as a child process, and waits until it listens. Throws ChildEnded. */
export async function startChild(file: string, { env = {}, log = '/dev/null' }: Options = {}): Promise<Child> {
  const child = fork(join(import.meta.dirname, '..', file), {
    env: { ...process.env, ...env },
    execArgv: [],
    stdio: ['ignore', openSync(log, 'a'), 'inherit', 'ipc'],
  });
  const killWithUs = (): void => void child.kill('SIGKILL');
  process.once('exit', killWithUs);
  const ended = once(child, 'exit')
    .then(() => process.off('exit', killWithUs))
    .then(() => undefined);
  const ask = async <Answer>(question: string | number | object, answer: z.ZodType<Answer>): Promise<Answer> => {
    child.send(question);
    return answer.parse(await replyOf(child, file));
  };
  const { port } = z.object({ port: z.int() }).parse(await replyOf(child, file));
  return {
    port,
    ask,
    ended,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** The next reply of a child. Throws ChildEnded. */
function replyOf(child: ChildProcess, file: string): Promise<unknown> {
  return new Promise((fulfil, reject) => {
    const ended = (): void => reject(new ChildEnded(`${file} ended; its output above shows the error`));
    child.once('exit', ended);
    child.once('message', (message) => {
      child.off('exit', ended);
      fulfil(z.object({ reply: z.unknown() }).parse(message).reply);
    });
  });
}
