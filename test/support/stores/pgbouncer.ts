import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../http/free-port.ts';
import { until } from '../time/until.ts';
import { UNPRIVILEGED_UID } from './postgres.ts';

/** Debian's program, which is in no ordinary user's path. */
const PROGRAM = '/usr/sbin/pgbouncer';

/** A PgBouncer in transaction mode before a server. */
export type TestPgBouncer = {
  /** The address of a database through it, for a relay. */
  through(address: string): string;
  /** What it wrote to its log. */
  log(): string;
  close(): Promise<void>;
};

/**
 * Starts PgBouncer before the server of an address. It has so few connections to the server that transactions of one client meet different
 * ones. It ends with this process.
 */
export async function startPgBouncer(address: string, connections = 4): Promise<TestPgBouncer> {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-pgbouncer-'));
  const { hostname, port: serverPort, username, password } = new URL(address);
  const port = await freePort();
  const [settings, users, log] = [join(folder, 'pgbouncer.ini'), join(folder, 'users.txt'), join(folder, 'log')];
  const lines = [
    ...['[databases]', `* = host=${hostname} port=${serverPort}`, '[pgbouncer]', 'pool_mode = transaction'],
    ...['listen_addr = 127.0.0.1', `listen_port = ${port}`, `unix_socket_dir = ${folder}`, `auth_file = ${users}`],
    ...[
      'auth_type = scram-sha-256',
      `default_pool_size = ${connections}`,
      'server_round_robin = 1',
      `logfile = ${log}`,
    ],
  ];
  writeFileSync(settings, `${lines.join('\n')}\n`);
  writeFileSync(users, `"${username}" "${password}"\n`);
  const isRoot = process.getuid?.() === 0;
  // It refuses to run as root.
  const user = isRoot ? { uid: UNPRIVILEGED_UID, gid: UNPRIVILEGED_UID } : {};
  if (isRoot) for (const path of [folder, settings, users]) chownSync(path, UNPRIVILEGED_UID, UNPRIVILEGED_UID);
  const child: ChildProcess = spawn(PROGRAM, ['--quiet', settings], { ...user, cwd: folder, stdio: 'ignore' });
  const end = (): void => void child.kill('SIGKILL');
  process.once('exit', end);
  const read = (): string => readFileSync(log, 'utf8');
  await until('PgBouncer listens', () => {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended: ${read()}`);
    return accepts(port);
  });
  return {
    through: (own) => {
      const url = new URL(own);
      url.port = String(port);
      url.searchParams.set('prepare', 'false');
      return url.href;
    },
    log: read,
    async close() {
      process.off('exit', end);
      if (child.exitCode === null) {
        const ended = once(child, 'exit');
        end();
        await ended;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOpen;
}
