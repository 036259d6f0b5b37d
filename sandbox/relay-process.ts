import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { setTimeout as after } from 'node:timers/promises';
import { z } from 'zod';
import { CannotStart } from './listen.ts';

export type RelayProcess = {
  url: string;
  /** Settles when the relay ends, with the reason as a text such as `exit code 1`. */
  ended: Promise<string>;
  /** Stops the relay and waits for its end. After `graceMs`, which is longer than its own time limit, it is killed. */
  stop(): Promise<void>;
  /** Sends it a message, and waits for its next one. Rejects if it ends first. */
  tell(message: object): Promise<void>;
};

type Options = {
  /** The script to run, relative to `root`. */
  entry: string;
  /** A module that it loads first. */
  preload?: string | undefined;
  /** Whether it runs with low priority. */
  isInBackground?: boolean;
  root: string;
  env: NodeJS.ProcessEnv;
  logFile: string;
  errors: NodeJS.WritableStream;
  readyMs?: number;
  graceMs?: number;
};

const listening = z.object({ type: z.literal('listening'), url: z.string() });

/**
 * Runs the relay in a separate process and waits until it listens. Throws CannotStart if it ends before, or takes too
 * long.
 */
export async function startRelay(options: Options): Promise<RelayProcess> {
  // On a busy machine a relay, above all one in the background, starts slowly.
  const { entry, preload, isInBackground, root, env, logFile, errors, readyMs = 120_000, graceMs = 20_000 } = options;
  const args = preload === undefined ? [entry] : ['--import', preload, entry];
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  if (isInBackground && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  child.stdout?.pipe(createWriteStream(logFile, { flags: 'a' }));
  child.stderr?.pipe(errors, { end: false });
  const killWithUs = () => child.kill('SIGKILL');
  process.once('exit', killWithUs);
  const ended = endOf(child).finally(() => process.off('exit', killWithUs));
  const stop = () => stopChild(child, ended, graceMs);
  try {
    const url = await listeningUrl(child, ended, { readyMs, logFile });
    return { url, ended, stop, tell: (message) => tell(child, ended, message) };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function endOf(child: ChildProcess): Promise<string> {
  const [code, signal] = await once(child, 'close');
  return signal === null ? `exit code ${code}` : `signal ${signal}`;
}

async function listeningUrl(
  child: ChildProcess,
  ended: Promise<string>,
  { readyMs, logFile }: { readyMs: number; logFile: string },
): Promise<string> {
  const clock = new AbortController();
  try {
    return await Promise.race([
      reportedUrl(child),
      ended.then((how) => {
        throw new CannotStart(`The relay did not start (${how}). It says why above, or in ${logFile}.`);
      }),
      after(readyMs, undefined, { signal: clock.signal }).then(() => {
        throw new CannotStart(`The relay did not listen within ${readyMs / 1000} seconds. Its log is ${logFile}.`);
      }),
    ]);
  } finally {
    clock.abort();
  }
}

function reportedUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.on('message', (message) => {
      const parsed = listening.safeParse(message);
      if (parsed.success) resolve(parsed.data.url);
    });
  });
}

async function stopChild(child: ChildProcess, ended: Promise<string>, graceMs: number): Promise<void> {
  const force = setTimeout(() => child.kill('SIGKILL'), graceMs);
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
  await ended;
  clearTimeout(force);
}

async function tell(child: ChildProcess, ended: Promise<string>, message: object): Promise<void> {
  const answered = once(child, 'message');
  child.send(message);
  await Promise.race([
    answered,
    ended.then((how) => {
      throw new Error(`The relay ended (${how}).`);
    }),
  ]);
}
