import { copyFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { apiKey, card, order, startTestRelay } from '../support/relays/relay.ts';
import { files, kinds, run } from './backups.ts';
import { startSandbox } from './sandbox.ts';

describe.each(Object.entries(kinds))('verify-backup.sh of %s', (_, threeStores) => {
  /** A store with a payment and a backup. */
  const setUp = async () => {
    const [store = '', , scratch = ''] = await threeStores();
    const { url: gatewayUrl } = await startSandbox();
    const relay = await startTestRelay({ gatewayUrl, config: { store } });
    const pay = (one = order()) => relay.post('/v1/payments', apiKey, { ...one, ...card });
    const first = order();
    expect((await pay(first)).body).toMatchObject({ status: 'approved' });
    const backUp = async () => {
      const { storeFile, backups } = files(store);
      const { code, out, err } = await run('backup.sh', storeFile, backups);
      expect(code, err).toBe(0);
      return out;
    };
    const { storeFile: scratchFile } = files(scratch);
    const verify = (backup: string) => run('verify-backup.sh', backup, scratchFile);
    const reconcile = () => relay.post(`/v1/orders/${first.order_no}/reconcile`, apiKey, {});
    return { pay, reconcile, backUp, verify };
  };

  it('accepts a backup, twice, while the relay takes payments', async () => {
    const { pay, backUp, verify } = await setUp();
    const backup = await backUp();
    await pay();
    for (const _time of [1, 2]) {
      const { code, out, err } = await verify(backup);
      expect(code, err).toBe(0);
      expect(out).toMatch(/contains what the store did: [3-9]\d tables, \d+ rows, with the same payments and refunds$/);
    }
  });

  it('names the tables that differ', async () => {
    const { pay, backUp, verify } = await setUp();
    const before = await backUp();
    await pay();
    const after = await backUp();
    copyFileSync(`${before}.contents`, `${after}.contents`);
    const { code, err } = await verify(after);
    expect(code).toBe(1);
    expect(err).toContain('does not contain what the store did');
    expect(err).toMatch(/^< orders\|1$/m);
    expect(err).toMatch(/^> orders\|2$/m);
  });

  it('finds changed payments if the number of rows is the same', async () => {
    const { reconcile, backUp, verify } = await setUp();
    const before = await backUp();
    expect((await reconcile()).status).toBe(200);
    const after = await backUp();
    copyFileSync(`${before}.contents`, `${after}.contents`);
    const { code, err } = await verify(after);
    expect(code).toBe(1);
    expect(err).toMatch(/^> \w+\|orders$/m);
    expect(err).not.toMatch(/^> orders\|/m);
  });

  it('refuses a backup that is damaged or has no list of contents', async () => {
    const { backUp, verify } = await setUp();
    const backup = await backUp();
    writeFileSync(backup, 'damaged');
    expect(await verify(backup)).toMatchObject({ code: 1, err: expect.stringContaining('does not have the checksum') });
    expect(await verify(join(backup, '..', 'of-another.dump'))).toMatchObject({
      code: 1,
      err: expect.stringContaining('cannot read'),
    });
  });
});

it('verify-backup.sh needs an empty database', async () => {
  const [store = '', other = ''] = await kinds.PostgreSQL();
  const { url: gatewayUrl } = await startSandbox();
  await startTestRelay({ gatewayUrl, config: { store } });
  const { storeFile, backups } = files(store);
  const { out } = await run('backup.sh', storeFile, backups);
  expect(await run('verify-backup.sh', out)).toMatchObject({
    code: 1,
    err: expect.stringContaining('SCRATCH_FILE is missing'),
  });
  expect(await run('verify-backup.sh', out, storeFile)).toMatchObject({
    code: 1,
    err: expect.stringContaining('make a new, empty database'),
  });
  expect((await run('verify-backup.sh', out, files(other).storeFile)).code).toBe(0);
  expect(readdirSync(backups)).toHaveLength(3);
});
