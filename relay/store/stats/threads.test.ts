import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { StoreError } from '../../base/errors.ts';
import { createThreads } from './threads.ts';

/** A thread with this code. */
function thread(code: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'turnpike-thread-')), 'thread.mjs');
  writeFileSync(path, `import { parentPort, workerData } from 'node:worker_threads';\n${code}`);
  return path;
}

const forEver = 'setInterval(() => undefined, 1000);';

it('gives what its thread posts', async () => {
  const threads = createThreads(thread('parentPort.postMessage({ total: workerData, periods: [] });'));
  expect(await threads.ask({ a: 1 })).toEqual({ total: { a: 1 }, periods: [] });
  await threads.close();
});

it.each([
  ['throws', "throw new Error('4111111111111111');"],
  ['rejects', "await Promise.reject(new Error('4111111111111111'));"],
  ['ends at once', 'process.exit(1);'],
  ['is no code', '§'],
  ['needs too much memory', 'const all = []; for (;;) all.push(new Array(1e6).fill(all.length));'],
])('fails one question alone where the thread %s', async (_, code) => {
  const threads = createThreads(thread(`if (workerData.isBad) { ${code} }\nparentPort.postMessage(7);`));
  const failure = await threads.ask({ isBad: true }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(StoreError);
  expect(String(failure)).not.toContain('4111');
  if (code !== '§') expect(await threads.ask({})).toBe(7);
  await threads.close();
});

it('ends a thread that takes too long', async () => {
  const threads = createThreads(thread(forEver), 200);
  await expect(threads.ask({})).rejects.toThrow(StoreError);
});

it('ends its threads when it is closed, and starts no more', async () => {
  const threads = createThreads(thread(forEver));
  const asked = expect(threads.ask({})).rejects.toThrow(StoreError);
  await threads.close();
  await asked;
  await expect(threads.ask({})).rejects.toThrow(StoreError);
});
