import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../test/support/time/until.ts';

const root = join(import.meta.dirname, '../..');

/** A relay as a process with a fixed port. */
type RelayProcess = {
  url: string;
  /** Starts it and waits until it is ready. */
  start(): Promise<void>;
  /** Stops it with SIGTERM, as an operator does; gives the milliseconds until it ended. */
  stop(): Promise<number>;
  /** Kills it with SIGKILL. */
  kill(): Promise<void>;
};

/** Prepares a relay; `settings` is its configuration without the port. */
export function relayProcess(name: string, port: number, settings: object, folder: string): RelayProcess {
  const url = `http://127.0.0.1:${port}`;
  const path = join(folder, `${name}.json`);
  writeFileSync(path, JSON.stringify({ ...settings, listen: { port } }), { mode: 0o600 });
  let child: ChildProcess | undefined;
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    const ending = child;
    child = undefined;
    if (!ending || ending.exitCode !== null) return;
    const ended = once(ending, 'exit');
    ending.kill(signal);
    await ended;
  };
  process.once('exit', () => child?.kill('SIGKILL'));
  return {
    url,
    async start() {
      const log = openSync(join(folder, `${name}.log`), 'a');
      child = spawn(process.execPath, ['relay/main.ts'], {
        cwd: root,
        env: { ...process.env, TURNPIKE_CONFIG: path },
        stdio: ['ignore', log, log],
      });
      await until(`${name} is ready`, () =>
        fetch(`${url}/readyz`).then(
          ({ status }) => status === 200,
          () => false,
        ),
      );
    },
    async stop() {
      const start = performance.now();
      await end('SIGTERM');
      return performance.now() - start;
    },
    kill: () => end('SIGKILL'),
  };
}
