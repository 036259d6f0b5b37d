import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { idOf } from '../file/identity.ts';
import { headerOf, openJournal, readJournal } from './journal.ts';
import { lockJournal } from './lock.ts';

const header = headerOf('refund', { url: 'http://127.0.0.1:1', apiKey: 'a key' });
const rows = ['a', 'b'].map((reference) => ({ reference, item: { transaction_id: reference } }));

function newPath(): string {
  return join(mkdtempSync(join(tmpdir(), 'turnpike-journal-')), 'refunds.csv.journal');
}

/** A journal with an answered chunk and an unanswered one. */
async function written(path: string): Promise<void> {
  const journal = await openJournal(path, header);
  const { id } = await journal.begin(rows, 0);
  const [succeeded, unknown] = [
    { outcome: 'succeeded', message: '' },
    { outcome: 'unknown', message: 'timeout' },
  ] as const;
  const items = [succeeded, unknown].map((one) => ({ ...one, from: 'own_request' }) as const);
  await journal.answer({ id, items, operation: 'op_1' });
  await journal.begin([{ reference: 'c', item: {} }], 0);
  await journal.close();
}

describe('a journal', () => {
  it('returns the sent items and outcomes after a restart', async () => {
    const path = newPath();
    await written(path);
    const journal = await openJournal(path, header);
    onTestFinished(() => journal.close());
    const { index } = journal;
    expect(['a', 'b', 'c', 'd'].map((reference) => index.find(idOf(reference)))).toEqual([
      { chunk: 0, index: 0, tries: 0, outcome: 'succeeded' },
      { chunk: 0, index: 1, tries: 0, outcome: 'unknown' },
      { chunk: 1, index: 0, tries: 0, outcome: undefined },
      undefined,
    ]);
    expect([index.unanswered(), index.unknown()]).toEqual([[1], [0]]);
    expect(await journal.chunk(0)).toMatchObject({ references: ['a', 'b'], items: rows.map(({ item }) => item) });
    expect(await journal.answerOf(0)).toMatchObject({ operation: 'op_1' });
    expect(readFileSync(path, 'utf8')).not.toContain('a key');
  });

  it('writes its subject, each request and each answer as lines', async () => {
    const path = newPath();
    await written(path);
    const [a, b] = ['a', 'b'].map((reference) => `{"transaction_id":"${reference}"}`);
    const lines = readFileSync(path, 'utf8').split('\n');
    expect(lines.map((line) => line.replace(/bulk-[a-p]{32}/, 'KEY'))).toEqual([
      `{"type":"bulk","version":1,"operation":"refund","relay":"http://127.0.0.1:1","key":"${header.key}"}`,
      `{"type":"chunk","id":0,"key":"KEY","tries":0,"references":["a","b"],"items":[${a},${b}]}`,
      '{"type":"answer","id":0,"items":[{"outcome":"succeeded"},{"outcome":"unknown","message":"timeout"}],"operation":"op_1"}',
      '{"type":"chunk","id":1,"key":"KEY","tries":0,"references":["c"],"items":[{}]}',
      '',
    ]);
  });

  it('is whole after a kill at any byte', async () => {
    const path = newPath();
    await written(path);
    const whole = readFileSync(path);
    for (let size = whole.length - 1; size > 0; size -= 37) {
      writeFileSync(path, whole);
      truncateSync(path, size);
      const journal = await openJournal(path, header);
      const left = readFileSync(path);
      expect(whole.subarray(0, left.length).equals(left) && left.at(-1) === 10, `${size}`).toBe(true);
      await journal.begin([{ reference: 'z', item: {} }], 0);
      await journal.close();
      expect((await readJournal(path, header)).index.find(idOf('z'))).toMatchObject({ index: 0 });
    }
  });

  it('is refused where it is damaged', async () => {
    const path = newPath();
    await written(path);
    appendFileSync(path, 'no record\n');
    await expect(openJournal(path, header)).rejects.toThrow(/damaged at byte \d+/);
  });

  it.each([
    ['operation', headerOf('capture', { url: 'http://127.0.0.1:1', apiKey: 'a key' })],
    ['relay', headerOf('refund', { url: 'http://127.0.0.1:2', apiKey: 'a key' })],
    ['run', headerOf('refund', { url: 'http://127.0.0.1:1', apiKey: 'another key' })],
  ])('is refused by another %s', async (what, other) => {
    const path = newPath();
    await written(path);
    await expect(openJournal(path, other)).rejects.toThrow(`belongs to another ${what}`);
    await expect(readJournal(path, other)).rejects.toThrow(`belongs to another ${what}`);
  });

  it('gives each request a key of all that it carries', async () => {
    const journal = await openJournal(newPath(), header);
    onTestFinished(() => journal.close());
    const keys = [
      await journal.begin(rows, 0),
      await journal.begin(rows, 0),
      await journal.begin(rows, 1),
      await journal.begin(rows.slice(1), 0),
      await journal.begin(
        rows.map((row) => ({ ...row, item: {} })),
        0,
      ),
    ].map(({ key }) => key);
    expect(keys[0]).toBe(keys[1]);
    expect(new Set(keys).size).toBe(4);
  });
});

describe('the lock of a journal', () => {
  it('keeps others off while its process lives, and no longer', async () => {
    const path = newPath();
    const holder = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    onTestFinished(() => void holder.kill('SIGKILL'));
    writeFileSync(`${path}.lock-${holder.pid}-abc`, `${hostname()}\n`);
    await expect(lockJournal(path)).rejects.toThrow(`Process ${holder.pid} works with the journal`);
    const exited = once(holder, 'exit');
    holder.kill('SIGKILL');
    await exited;
    const unlock = await lockJournal(path);
    await unlock();
    writeFileSync(`${path}.lock-${holder.pid}-abc`, 'another machine\n');
    await expect(lockJournal(path)).rejects.toThrow('works with the journal');
  });

  it.runIf(process.platform === 'linux')('lets others in after its killed process became a zombie', async () => {
    // The shell becomes a program that never asks how the process before it ended.
    const parent = spawn('sh', ['-c', 'sh -c "echo \\$\\$" & exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
    onTestFinished(() => void parent.kill('SIGKILL'));
    const [pid] = await once(parent.stdout, 'data');
    const path = newPath();
    writeFileSync(`${path}.lock-${Number(String(pid))}-abc`, `${hostname()}\n`);
    await expect.poll(() => lockJournal(path).then((unlock) => unlock())).toBeUndefined();
  });
});
