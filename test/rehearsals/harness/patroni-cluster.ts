import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { debianPrograms } from '../../deploy/debian-postgres.ts';
import { freePort } from '../../support/http/free-port.ts';
import { UNPRIVILEGED_UID } from '../../support/stores/postgres.ts';
import { until } from '../../support/time/until.ts';

/** The paths in Debian's packages. */
const [PATRONI, ETCD] = ['/usr/bin/patroni', '/usr/bin/etcd'];

/** The settings of Patroni in docs/high-availability.md. */
const settings = {
  ...{ ttl: 20, loop_wait: 5, retry_timeout: 5, maximum_lag_on_failover: 1_048_576, synchronous_mode: true },
  postgresql: { use_pg_rewind: true, parameters: { max_connections: 60, wal_log_hints: 'on' } },
};

type Node = { name: string; port: number; rest: number; data: string; config: string; child: ChildProcess | undefined };

/** Two PostgreSQL servers, each run by Patroni, and etcd, on loopback addresses. */
export type Cluster = {
  /** The address of an empty database. It names both servers. */
  address: string;
  /** Kills the primary and its Patroni, like a power failure. Returns the name of the server. */
  killPrimary(): Promise<string>;
  /** Starts a killed server again. */
  start(name: string): Promise<void>;
  /** Waits until one server takes writes and the other is its synchronous standby. */
  isWhole(): Promise<void>;
  close(): void;
};

export function hasPatroni(): boolean {
  return existsSync(PATRONI) && existsSync(ETCD);
}

/** Starts the cluster, with a role and a database for relays. All its processes end with this one. */
export async function startCluster(): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-patroni-'));
  chmodSync(folder, 0o755);
  const isRoot = process.getuid?.() === 0;
  // PostgreSQL refuses to run as root.
  const user = isRoot ? { uid: UNPRIVILEGED_UID, gid: UNPRIVILEGED_UID } : {};
  const own = (path: string): string => {
    if (isRoot) chownSync(path, UNPRIVILEGED_UID, UNPRIVILEGED_UID);
    return path;
  };
  own(folder);
  const run = (name: string, program: string, args: string[]): ChildProcess => {
    const log = openSync(join(folder, `${name}.log`), 'a');
    return spawn(program, args, { ...user, cwd: folder, stdio: ['ignore', log, log] });
  };

  const [client, peer] = [await freePort(), await freePort()].map((port) => `http://127.0.0.1:${port}`);
  const etcd = run('etcd', ETCD, [
    ...[
      '--data-dir',
      join(folder, 'etcd'),
      '--listen-client-urls',
      `${client}`,
      '--advertise-client-urls',
      `${client}`,
    ],
    ...[
      '--listen-peer-urls',
      `${peer}`,
      '--initial-advertise-peer-urls',
      `${peer}`,
      '--initial-cluster',
      `default=${peer}`,
    ],
  ]);
  await until('etcd is ready', () =>
    fetch(`${client}/health`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );

  const password = randomBytes(12).toString('hex');
  const login = (username: string) => ({ username, password });
  const nodes: Node[] = [];
  for (const name of ['one', 'other']) {
    const [port, rest] = [await freePort(), await freePort()];
    const [home, config] = [own(mkdirIn(folder, name)), join(folder, `${name}.yml`)];
    const data = join(home, 'data');
    const written = {
      ...{ scope: 'turnpike', name, restapi: { listen: `127.0.0.1:${rest}`, connect_address: `127.0.0.1:${rest}` } },
      etcd3: { hosts: client?.replace('http://', '') },
      bootstrap: { dcs: settings, initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'] },
      postgresql: {
        ...{
          listen: `127.0.0.1:${port}`,
          connect_address: `127.0.0.1:${port}`,
          data_dir: data,
          bin_dir: debianPrograms(),
        },
        ...{ pgpass: join(home, 'pgpass'), parameters: { unix_socket_directories: home } },
        pg_hba: [
          'local all all trust',
          'host all all 127.0.0.1/32 scram-sha-256',
          'host replication all 127.0.0.1/32 scram-sha-256',
        ],
        authentication: { superuser: login('postgres'), replication: login('replicator'), rewind: login('rewinder') },
      },
    };
    // JSON is valid YAML.
    writeFileSync(config, JSON.stringify(written), { mode: 0o600 });
    own(config);
    nodes.push({ name, port, rest, data, config, child: undefined });
  }
  const start = (node: Node): void => {
    node.child = run(node.name, PATRONI, [node.config]);
  };
  const isPrimary = ({ rest }: Node): Promise<boolean> =>
    fetch(`http://127.0.0.1:${rest}/primary`).then(
      ({ status }) => status === 200,
      () => false,
    );
  const primary = async (): Promise<Node | undefined> => {
    for (const node of nodes) if (node.child && (await isPrimary(node))) return node;
    return undefined;
  };
  const isWhole = async (): Promise<void> => {
    await until(
      'a standby is synchronous',
      async () => {
        const one = await primary();
        if (!one) return false;
        const text = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync' AND state = 'streaming'";
        return (await query(one.port, text).catch(() => [])).length > 0;
      },
      300_000,
    );
  };
  const query = async (port: number, text: string): Promise<object[]> => {
    const connection = new Client({ host: '127.0.0.1', port, user: 'postgres', password, database: 'postgres' });
    await connection.connect();
    return connection
      .query(text)
      .then(({ rows }) => rows)
      .finally(() => connection.end());
  };
  const close = (): void => {
    process.off('exit', close);
    for (const node of nodes) killNode(node);
    etcd.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  process.once('exit', close);
  for (const node of nodes) start(node);
  await isWhole();
  const first = await primary();
  if (!first) throw new Error('no server takes writes');
  await query(first.port, `CREATE ROLE turnpike LOGIN PASSWORD '${password}'`);
  await query(first.port, "CREATE DATABASE turnpike OWNER turnpike ENCODING 'UTF8' TEMPLATE template0");
  const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`).join(',');
  return {
    address: `postgres://turnpike:${password}@${hosts}/turnpike?target_session_attrs=read-write`,
    async killPrimary() {
      const node = await primary();
      if (!node) throw new Error('no server takes writes');
      killNode(node);
      return node.name;
    },
    async start(name) {
      for (const node of nodes) if (node.name === name) start(node);
    },
    isWhole,
    close,
  };
}

function mkdirIn(folder: string, name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}

/** Kills Patroni first, because it would restart the server; then the server's main process, and then the others. */
function killNode(node: Node): void {
  node.child?.kill('SIGKILL');
  node.child = undefined;
  const file = join(node.data, 'postmaster.pid');
  if (!existsSync(file)) return;
  const main = Number.parseInt(readFileSync(file, 'utf8'), 10);
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).split('\n');
  const children = rows.map((row) => row.trim().split(/\s+/).map(Number)).filter(([, parent]) => parent === main);
  for (const pid of [main, ...children.map(([child]) => child)]) {
    try {
      if (pid !== undefined && pid > 1) process.kill(pid, 'SIGKILL');
    } catch {
      // The process has already ended.
    }
  }
}
