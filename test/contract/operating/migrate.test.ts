import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openMigrated } from '../../../relay/store/postgres/open.ts';
import { postgresSchema } from '../../../relay/store/postgres/schema/schema.ts';
import { serversOf } from '../../../relay/store/postgres/server/servers.ts';
import { newestVersion } from '../../../relay/store/schema/schema.ts';
import { openFile } from '../../../relay/store/sqlite/open.ts';
import { sqliteSchema } from '../../../relay/store/sqlite/schema.ts';
import { testConfig } from '../../support/relays/relay.ts';
import { spawnRelay } from '../../support/relays/relay-process.ts';
import { startPostgres, type TestPostgres, UNPRIVILEGED_UID } from '../../support/stores/postgres.ts';

const root = join(import.meta.dirname, '../../..');

function check(store: string, { args = ['--check'], uid }: { args?: string[]; uid?: number } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-'));
  chmodSync(folder, 0o755);
  const path = join(folder, 'relay.json');
  writeFileSync(path, JSON.stringify({ ...testConfig({ gatewayUrl: 'http://127.0.0.1:9', folder }), store }));
  const env = { ...process.env, TURNPIKE_CONFIG: path };
  const options = { env, encoding: 'utf8', ...(uid === undefined ? {} : { uid }) } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'relay/migrate.ts'), ...args], options);
  return { status, stdout, stderr };
}

const newFile = (): string => join(mkdtempSync(join(tmpdir(), 'turnpike-')), 'turnpike.db');

/** The schema without its last steps. */
const earlier = <Whole extends { steps: readonly string[] }>(schema: Whole, count: number) => ({
  ...schema,
  steps: schema.steps.slice(0, -count),
});

describe('turnpike-relay migrate --check', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres?.close());

  it('says that there is no store yet, and makes none', async () => {
    const newest = newestVersion(sqliteSchema);
    const path = newFile();
    const { status, stdout } = check(`sqlite:${path}`);
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: `There is no store yet. The next start makes one of version ${newest}.\n`,
    });
    expect(() => readFileSync(path)).toThrow();
    const address = await postgres.database();
    expect(check(address).stdout).toContain('There is no store yet.');
    expect(await postgres.query(address, "SELECT to_regnamespace('turnpike') AS there")).toEqual([{ there: null }]);
  });

  it('says that nothing changes', () => {
    const path = newFile();
    openFile(path).close();
    expect(check(`sqlite:${path}`)).toMatchObject({ status: 0, stdout: expect.stringContaining('nothing changes') });
  });

  it.skipIf(process.getuid?.() !== 0)('needs no right to write, and leaves no file', () => {
    const path = newFile();
    openFile(path).close();
    chmodSync(dirname(path), 0o755);
    const before = readdirSync(dirname(path));
    for (const uid of [UNPRIVILEGED_UID, 0]) {
      const { status, stdout } = check(`sqlite:${path}`, { uid });
      expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining('nothing changes') });
      expect(readdirSync(dirname(path))).toEqual(before);
    }
  });

  it('reads what a relay wrote that runs', async () => {
    const relay = spawnRelay({ gatewayUrl: 'http://127.0.0.1:9' });
    await relay.listening();
    const { status, stdout } = check(`sqlite:${join(relay.folder, 'turnpike.db')}`);
    expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining('nothing changes') });
  });

  it('lists the changes of a file with rows, and makes none', () => {
    const path = newFile();
    const db = openFile(path, earlier(sqliteSchema, sqliteSchema.steps.length));
    db.exec("INSERT INTO orders (account, order_no, hold) VALUES ('demo', 'A', 'free'), ('demo', 'B', 'free')");
    db.close();
    const { status, stdout } = check(`sqlite:${path}`);
    expect(status).toBe(0);
    expect(stdout).toContain(`The store has version ${sqliteSchema.version}. The next start brings it to `);
    expect(stdout).toContain('  ALTER TABLE orders (about 2 rows)\n');
    expect(stdout).toContain('  CREATE INDEX orders_planned ON orders (about 2 rows)\n');
    expect(stdout).toContain(`The file has ${(statSync(path).size / 1e6).toFixed(1)} MB.\n`);
    expect(stdout).toMatch(/a minute for each GB[\s\S]*The way back is a backup/);
    const after = new DatabaseSync(path, { readOnly: true });
    expect(after.prepare('PRAGMA user_version').get()?.user_version).toBe(sqliteSchema.version);
    after.close();
  });

  it('lists the changes of a database, and makes none', async () => {
    const address = await postgres.database();
    const before = earlier(postgresSchema, postgresSchema.steps.length);
    const db = await openMigrated(serversOf(address), 'callers', before);
    const rows = Array.from({ length: 300 }, (_, at) => `('demo', 'A-${at}', 'free')`).join(', ');
    await postgres.query(address, `INSERT INTO turnpike.orders (account, order_no, hold) VALUES ${rows}`);
    expect(check(address).stdout).not.toContain('about 0 rows');
    await postgres.query(address, 'ANALYZE turnpike.orders');
    const { status, stdout } = check(address);
    expect(status).toBe(0);
    const [size] = await postgres.query(address, "SELECT pg_total_relation_size('turnpike.orders') / 1e6 AS megabytes");
    const megabytes = Number(size?.megabytes).toFixed(1);
    expect(stdout).toContain(`  ALTER TABLE turnpike.orders (about 300 rows, ${megabytes} MB)\n`);
    expect(await postgres.query(address, 'SELECT version FROM turnpike.migrations')).toEqual([
      { version: postgresSchema.version },
    ]);
    await db.close();
  });

  it('refuses a newer store, one that cannot be read, and other arguments', () => {
    const path = newFile();
    const db = openFile(path);
    db.exec('PRAGMA user_version = 9999');
    db.close();
    expect(check(`sqlite:${path}`)).toMatchObject({ status: 4, stderr: expect.stringContaining('a newer version') });
    expect(check('postgres://turnpike:pass-word@127.0.0.1:9/none')).toMatchObject({
      status: 3,
      stderr: expect.stringMatching(/ECONNREFUSED(?![\s\S]*pass-word)/),
    });
    expect(check(`sqlite:${path}`, { args: ['--now'] })).toMatchObject({ status: 2, stdout: '' });
  });
});
