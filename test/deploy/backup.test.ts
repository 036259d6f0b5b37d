import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { apiKey, card, order, startTestRelay } from '../support/relays/relay.ts';
import { until } from '../support/time/until.ts';
import { files, kinds, run, runIn, scripts } from './backups.ts';
import { startSandbox } from './sandbox.ts';

describe.each(Object.entries(kinds))('a backup of %s', (_, threeStores) => {
  it('contains what was paid, and is restored to a paused relay', async () => {
    const [old = '', fresh = ''] = await threeStores();
    const { gateway, url: gatewayUrl } = await startSandbox();
    const relay = await startTestRelay({ gatewayUrl, config: { store: old } });
    const paid = order();
    const payment = await relay.post('/v1/payments', apiKey, { ...paid, ...card });
    expect(payment.body).toMatchObject({ status: 'approved' });

    const before = files(old);
    const backup = await run('backup.sh', before.storeFile, before.backups);
    expect(backup, backup.err).toMatchObject({ code: 0 });
    expect(statSync(backup.out).mode & 0o077).toBe(0);
    expect(readdirSync(before.backups)).toHaveLength(3);
    const later = order();
    await relay.post('/v1/payments', apiKey, { ...later, ...card });
    await relay.stop();

    const after = files(fresh);
    const restored = await run('restore.sh', after.storeFile, backup.out, after.config);
    expect(restored, restored.err).toMatchObject({ code: 0 });
    const again = await startTestRelay({ gatewayUrl, config: { store: fresh, paused: true } });
    expect((await again.get(`/v1/orders/${paid.order_no}`, apiKey)).body).toMatchObject({
      order_no: paid.order_no,
      amount: paid.amount,
      status: 'paid',
    });
    expect((await again.get(`/v1/orders/${later.order_no}`, apiKey)).status).toBe(404);
    const refused = await again.post('/v1/payments', apiKey, { ...order(), ...card });
    expect(refused).toMatchObject({ status: 503, body: { code: 'relay_paused' } });
    expect(gateway.payments.list()).toHaveLength(2);

    const twice = await run('restore.sh', after.storeFile, backup.out, after.config);
    expect(twice.code).toBe(1);
    expect(twice.err).toMatch(/exists: stop the relay|make a new database/);
  });
});

describe('a restore', () => {
  it('is refused unless the relay is paused and the backup complete', async () => {
    const [old = '', fresh = ''] = await kinds.SQLite();
    const { url: gatewayUrl } = await startSandbox();
    await startTestRelay({ gatewayUrl, config: { store: old } });
    const { storeFile, backups } = files(old);
    const backup = await run('backup.sh', storeFile, backups);
    const after = files(fresh);
    const restore = () => run('restore.sh', after.storeFile, backup.out, after.config);
    for (const settings of [{}, { paused: false }]) {
      after.write(settings);
      expect(await restore()).toMatchObject({ code: 1, err: expect.stringContaining('set "paused": true') });
    }
    after.write({ paused: true });
    const bytes = readFileSync(backup.out);
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    writeFileSync(backup.out, bytes);
    expect(await restore()).toMatchObject({ code: 1, err: expect.stringContaining('checksum') });
    expect(existsSync(fresh.slice('sqlite:'.length))).toBe(false);
  });
});

it('never restores over the store of a relay that has just started', async () => {
  const [old = '', fresh = ''] = await kinds.SQLite();
  const { url: gatewayUrl } = await startSandbox();
  await startTestRelay({ gatewayUrl, config: { store: old } });
  const { storeFile, backups } = files(old);
  const backup = await run('backup.sh', storeFile, backups);
  const after = files(fresh);
  const path = fresh.slice('sqlite:'.length);
  // The last step of the script before it links the file.
  writeFileSync(join(after.folder, 'sync'), `#!/bin/sh\necho live >'${path}'\n`, { mode: 0o755 });
  const env = { ...process.env, PATH: `${after.folder}:${process.env.PATH}` };
  const args = [join(scripts, 'restore.sh'), after.storeFile, backup.out, after.config];
  const { stderr, status } = spawnSync('sh', args, { env, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('was created meanwhile') });
  expect(readFileSync(path, 'utf8')).toBe('live\n');
  expect(readdirSync(dirname(path))).toEqual(['turnpike.db']);
});

describe('a backup', () => {
  it('deletes only backups that are too old', async () => {
    const [store = ''] = await kinds.SQLite();
    const { url: gatewayUrl } = await startSandbox();
    await startTestRelay({ gatewayUrl, config: { store } });
    const { storeFile, backups, folder } = files(store);
    execFileSync('mkdir', [backups]);
    const day = 86_400;
    const made = { 'turnpike-old-Z.db.gz': 9, 'turnpike-young-Z.db.gz': 5, 'of-another.db.gz': 9 };
    for (const [name, days] of Object.entries(made)) {
      writeFileSync(join(backups, name), '');
      const at = Date.now() / 1000 - days * day;
      utimesSync(join(backups, name), at, at);
    }
    const metrics = join(folder, 'turnpike_backup.prom');
    const { code } = await run('backup.sh', storeFile, backups, '7', metrics);
    expect(code).toBe(0);
    const [, seconds] = /^turnpike_backup_timestamp_seconds (\d+)$/m.exec(readFileSync(metrics, 'utf8')) ?? [];
    expect(Date.now() / 1000 - Number(seconds)).toBeLessThan(3600);
    expect(statSync(metrics).mode & 0o777).toBe(0o644);
    const left = readdirSync(backups);
    expect(left).not.toContain('turnpike-old-Z.db.gz');
    expect(left).toEqual(expect.arrayContaining(['turnpike-young-Z.db.gz', 'of-another.db.gz']));
    expect(left).toHaveLength(5);

    writeFileSync(storeFile, `sqlite:${folder}/nothing.db`);
    expect(await run('backup.sh', storeFile, backups, '7', `${metrics}.2`)).toMatchObject({
      code: 1,
      err: expect.stringContaining('there is no'),
    });
    expect(existsSync(`${metrics}.2`)).toBe(false);
    expect(readdirSync(backups)).toHaveLength(5);
  });

  it('is one snapshot of an SQLite store that is being written', async () => {
    const [store = ''] = await kinds.SQLite();
    const { folder, storeFile, backups } = files(store);
    const path = store.slice('sqlite:'.length);
    mkdirSync(dirname(path), { recursive: true });
    const db = new DatabaseSync(path);
    db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; CREATE TABLE one (n, big); CREATE TABLE other (n);
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 2000)
      INSERT INTO one SELECT 0, zeroblob(8000) FROM numbers`);
    // Without a transaction around it, SQLite's backup restarts at each write and might never end.
    const calls = join(folder, 'calls');
    const real = execFileSync('sh', ['-c', 'command -v sqlite3'], { encoding: 'utf8' }).trim();
    writeFileSync(join(folder, 'sqlite3'), `#!/bin/sh\necho "$*" >>'${calls}'\nexec '${real}' "$@"\n`, { mode: 0o755 });
    const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
    const backup = runIn(env, 'backup.sh', storeFile, backups);
    const ended = { yet: false };
    void backup.finally(() => {
      ended.yet = true;
    });
    for (let n = 1; !ended.yet; n++) {
      db.exec(`BEGIN; INSERT INTO one VALUES (${n}, zeroblob(8000)); INSERT INTO other VALUES (${n}); COMMIT`);
      await setImmediate();
    }
    db.close();
    const { code, out, err } = await backup;
    expect(code, err).toBe(0);
    const copy = join(folder, 'copy.db');
    writeFileSync(copy, gunzipSync(readFileSync(out)));
    const found = new DatabaseSync(copy, { readOnly: true });
    const row = found
      .prepare('SELECT (SELECT max(n) FROM one) AS one, coalesce((SELECT max(n) FROM other), 0) AS other')
      .get();
    found.close();
    expect(row?.one).toBe(row?.other);
    expect(readFileSync(calls, 'utf8')).toMatch(/ BEGIN .* SELECT .* \.backup /s);
  });

  it('leaves nothing behind when stopped, nor from a killed one', async () => {
    const { storeFile, backups, folder } = files('postgres://turnpike@127.0.0.1:1/turnpike');
    mkdirSync(join(backups, '.part-killed'), { recursive: true });
    const aDayAgo = Date.now() / 1000 - 2 * 86_400;
    utimesSync(join(backups, '.part-killed'), aDayAgo, aDayAgo);
    // Runs what psql runs for its command \!.
    const psql = `case "$*" in *--output*) sed -n 's/^.! //p' | sh;; *) echo 170002;; esac`;
    writeFileSync(join(folder, 'psql'), `#!/bin/sh\n${psql}\n`, { mode: 0o755 });
    writeFileSync(join(folder, 'pg_restore'), '#!/bin/sh\n', { mode: 0o755 });
    // A dump that does not end and reports that it has begun.
    const dumping = `case $1 in --version) echo "pg_dump (PostgreSQL) 17.2";; *) mkfifo '${folder}/fifo'; : >'${folder}/begun'; read -r _ <'${folder}/fifo';; esac`;
    writeFileSync(join(folder, 'pg_dump'), `#!/bin/sh\n${dumping}\n`, { mode: 0o755 });
    const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
    const child = spawn('sh', [join(scripts, 'backup.sh'), storeFile, backups], {
      env,
      stdio: 'ignore',
      detached: true,
    });
    const exited = new Promise<number | null>((done) => child.once('exit', done));
    await until('the dump runs', () => existsSync(join(folder, 'begun')));
    expect(readdirSync(backups)).toEqual([expect.stringMatching(/^\.part-(?!killed)/)]);
    process.kill(-(child.pid ?? 0), 'SIGTERM');
    expect(await exited).toBe(143);
    expect(readdirSync(backups)).toEqual([]);
  });

  it('refuses an address whose password would be an argument', async () => {
    for (const query of ['?password=s3cret', '?sslmode=disable&password=s3cret']) {
      const { storeFile, backups } = files(`postgres://turnpike@127.0.0.1:1/turnpike${query}`);
      const ended = await run('backup.sh', storeFile, backups);
      expect(ended).toMatchObject({ code: 1, err: expect.stringContaining('put the password before the host') });
      expect(ended.err).not.toContain('s3cret');
    }
  });

  it('keeps passwords out of arguments and names a missing client', async () => {
    const { storeFile, backups, folder } = files('postgres://turnpike:s%3Acr%40t@127.0.0.1:1/turnpike?sslmode=disable');
    // The arguments that the programs would get; the server is newer than they are.
    writeFileSync(join(folder, 'psql'), `#!/bin/sh\necho "$PGPASSWORD $*" >>${folder}/calls\necho 190001\n`, {
      mode: 0o755,
    });
    writeFileSync(join(folder, 'pg_dump'), '#!/bin/sh\necho "pg_dump (PostgreSQL) 17.2 (Debian)"\n', { mode: 0o755 });
    const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
    const args = [join(scripts, 'backup.sh'), storeFile, backups];
    const { stderr, status } = spawnSync('sh', args, { env, encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stderr).toContain('pg_dump has version 17 and the server 19: install postgresql-client-19');
    const calls = readFileSync(join(folder, 'calls'), 'utf8');
    expect(calls).toMatch(/^s:cr@t .*--dbname postgres:\/\/turnpike@127\.0\.0\.1:1\/turnpike\?sslmode=disable /);
  });
});

it('every script passes shellcheck', () => {
  const files = readdirSync(scripts).filter((name) => name.endsWith('.sh'));
  expect(files.length).toBeGreaterThan(2);
  execFileSync('shellcheck', ['--external-sources', ...files.map((name) => `deploy/${name}`)], {
    cwd: join(scripts, '..'),
  });
});
