import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../test/support/time/until.ts';

const root = join(import.meta.dirname, '../..');

/** How long a start may take on a busy machine. */
const START_MS = 600_000;

/** A relay as a process with a fixed port. */
export type RelayProcess = {
  url: string;
  /** The file of its log. */
  log: string;
  /** Its process; undefined while none runs. */
  pid(): number | undefined;
  /** Starts it and waits until it is ready. `options` also apply to later starts. */
  start(options?: RelayOptions): Promise<void>;
  /** Writes its configuration, which a running process reads at SIGHUP. */
  configure(settings: object): void;
  signal(name: NodeJS.Signals): void;
  /** Stops it with SIGTERM, as an operator does. Returns the milliseconds until it ended. */
  stop(): Promise<number>;
  /** Kills it with SIGKILL. */
  kill(): Promise<void>;
};

export type RelayOptions = {
  env?: Readonly<Record<string, string>>;
  /** Options of Node. */
  node?: readonly string[];
  /** A command before that of the relay, such as a shell that then runs `exec "$@"`. */
  through?: readonly string[];
};

/** Prepares a relay; `settings` is its configuration without the port. */
export function relayProcess(
  name: string,
  port: number,
  settings: object,
  folder: string,
  options: RelayOptions = {},
): RelayProcess {
  const url = `http://127.0.0.1:${port}`;
  const [path, log] = [join(folder, `${name}.json`), join(folder, `${name}.log`)];
  let current = options;
  let child: ChildProcess | undefined;
  const configure = (to: object): void => {
    writeFileSync(`${path}.new`, JSON.stringify({ ...to, listen: { port } }), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  };
  configure(settings);
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    const ending = child;
    child = undefined;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
    const ended = once(ending, 'exit');
    ending.kill(signal);
    await ended;
  };
  process.once('exit', () => child?.kill('SIGKILL'));
  return {
    url,
    log,
    pid: () => child?.pid,
    async start(given) {
      current = given ?? current;
      const { env = {}, node = [], through = [] } = current;
      const output = openSync(log, 'a');
      const [command = '', ...args] = [...through, process.execPath, ...node, 'relay/main.ts'];
      const started = spawn(command, args, {
        cwd: root,
        env: { ...process.env, ...env, TURNPIKE_CONFIG: path },
        stdio: ['ignore', output, output],
      });
      closeSync(output);
      child = started;
      const isReady = (): Promise<boolean> => {
        if (started.exitCode !== null) throw new Error(`${name} ended with ${started.exitCode}: see ${log}`);
        return fetch(`${url}/readyz`).then(
          ({ status }) => status === 200,
          () => false,
        );
      };
      await until(`${name} is ready`, isReady, START_MS);
    },
    configure,
    signal: (name) => void child?.kill(name),
    async stop() {
      const start = performance.now();
      await end('SIGTERM');
      return performance.now() - start;
    },
    kill: () => end('SIGKILL'),
  };
}
