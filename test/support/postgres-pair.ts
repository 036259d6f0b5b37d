import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres, type TestPostgres } from './stores/postgres.ts';
import { until } from './time/until.ts';

/** A primary and a standby: a commit at the primary waits until the standby has it on disk. */
export type PostgresPair = {
  primary: TestPostgres;
  standby: TestPostgres;
  /** Creates an empty database on both. Its address names both servers. */
  database(): Promise<string>;
  /** Promotes the standby, which then waits for no other server. */
  promote(): Promise<void>;
  close(): Promise<void>;
};

/** Starts both; their data is deleted when they are closed. `fsync` and `programs` as for `startPostgres`. */
export async function startPostgresPair({ fsync = false, programs = '' } = {}): Promise<PostgresPair> {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-pair-'));
  chmodSync(folder, 0o755);
  const [first, second] = [join(folder, 'first'), join(folder, 'second')];
  const primary = await startPostgres({ fsync, programs, folder: first });
  const own = primary.addressOf('postgres');
  // A stopped server can be copied as files.
  await primary.stop();
  execFileSync('cp', ['-a', first, second]);
  await primary.start();
  writeFileSync(join(second, 'data/standby.signal'), '');
  const { username, password, port } = new URL(own);
  const conninfo = `host=127.0.0.1 port=${port} user=${username} password=${password}`;
  appendFileSync(join(second, 'data/postgresql.auto.conf'), `primary_conninfo = '${conninfo}'\n`);
  const standby = await startPostgres({ fsync, programs, folder: second });
  await until('the standby follows', async () => (await standbys(primary)).length === 1);
  await primary.query(own, "ALTER SYSTEM SET synchronous_standby_names = '*'");
  await primary.query(own, 'SELECT pg_reload_conf()');
  await until('commits wait for the standby', async () => (await standbys(primary)).includes('sync'));
  return {
    primary,
    standby,
    async database() {
      const address = await primary.database();
      return address.replace(/@([^/]+)\//, (_, host: string) => `@${host},${new URL(standby.addressOf('any')).host}/`);
    },
    async promote() {
      await standby.query(standby.addressOf('postgres'), 'SELECT pg_promote()');
    },
    async close() {
      await Promise.all([primary.close(), standby.close()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The replication state of each standby of a server: `async` or `sync`. */
async function standbys(postgres: TestPostgres): Promise<unknown[]> {
  const rows = await postgres.query(
    postgres.addressOf('postgres'),
    "SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'",
  );
  return rows.map(({ sync_state }) => sync_state);
}
