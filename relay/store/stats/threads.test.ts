import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { until } from '../../../test/support/time/until.ts';
import { StoreError } from '../../base/errors.ts';
import { createThread, type Thread } from './threads.ts';

const threads = new URL('./threads.ts', import.meta.url).href;

/** A thread that answers tasks with this code. */
function thread(answer: string, limitMs?: number): Thread {
  const path = join(mkdtempSync(join(tmpdir(), 'turnpike-thread-')), 'thread.mjs');
  const head = `import { threadId, workerData } from 'node:worker_threads';\nimport { answerTasks } from '${threads}';\n`;
  writeFileSync(path, `${head}answerTasks(async (task) => { ${answer} });`);
  return createThread(path, () => ({ b: 2 }), limitMs);
}

it('gives what its thread answers, to each task its own', async () => {
  const asked = thread('if (task.a > 1) await new Promise((done) => setTimeout(done, 50)); return [task, workerData];');
  const answers = await Promise.all([asked.ask({ a: 2 }), asked.ask({ a: 1 })]);
  expect(answers).toEqual([2, 1].map((a) => [{ a }, { b: 2 }]));
  await asked.close();
});

it('keeps its thread for the next task', async () => {
  const asked = thread('return threadId;');
  expect(await asked.ask({})).toBe(await asked.ask({}));
  await asked.close();
});

it('fails one task alone where the thread rejects it', async () => {
  const asked = thread("if (task.isBad) throw new Error('4111111111111111'); await 0; return 7;");
  const [failure, answer] = await Promise.all([asked.ask({ isBad: true }).catch(String), asked.ask({})]);
  expect([failure, answer]).toEqual(['StoreError: figures cannot be computed', 7]);
  await asked.close();
});

it.each([
  ['throws', "setTimeout(() => { throw new Error('4111111111111111'); }); await new Promise(() => undefined);"],
  ['ends at once', 'process.exit(1);'],
  ['needs too much memory', 'const all = []; for (;;) all.push(new Array(1e6).fill(all.length));'],
])('starts another thread where one %s', async (_, code) => {
  const asked = thread(`if (task.isBad) { ${code} }\nreturn 7;`);
  const failure = await asked.ask({ isBad: true }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(StoreError);
  expect(String(failure)).not.toContain('4111');
  expect(await asked.ask({})).toBe(7);
  await asked.close();
});

it('fails where the thread is no code', async () => {
  const asked = thread('§');
  await expect(asked.ask({})).rejects.toThrow(StoreError);
  await asked.close();
});

it('ends a thread that takes too long', async () => {
  const asked = thread('await new Promise((done) => setTimeout(done, 100_000));', 200);
  await expect(asked.ask({})).rejects.toThrow(StoreError);
  await asked.close();
});

it('ends its thread when it is closed, and starts no more', async () => {
  const asked = thread('await new Promise((done) => setTimeout(done, 100_000));');
  const failed = expect(asked.ask({})).rejects.toThrow(StoreError);
  await asked.close();
  await failed;
  await expect(asked.ask({})).rejects.toThrow(StoreError);
});

/** A thread that writes a dot to a file whenever it is started. `starts` counts them. */
function countedThread(startMs: number) {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-thread-'));
  const [code, starts] = [join(folder, 'thread.mjs'), join(folder, 'starts')];
  appendFileSync(starts, '');
  const head = `import { appendFileSync } from 'node:fs';\nimport { answerTasks } from '${threads}';\n`;
  writeFileSync(
    code,
    `${head}appendFileSync(${JSON.stringify(starts)}, '.');\nanswerTasks(async (task) => (task.isBad ? process.exit(1) : 7));`,
  );
  return { ...createThread(code, () => ({}), undefined, startMs), starts: () => readFileSync(starts, 'utf8').length };
}

it('is started once before it is asked, and again once it ended', async () => {
  const asked = countedThread(0);
  asked.start();
  asked.start();
  await until('it runs', () => asked.starts() === 1);
  asked.start();
  expect(await asked.ask({})).toBe(7);
  await expect(asked.ask({ isBad: true })).rejects.toThrow(StoreError);
  asked.start();
  await until('it runs again', () => asked.starts() === 2);
  expect(await asked.ask({})).toBe(7);
  expect(asked.starts()).toBe(2);
  await asked.close();
});

it('is not started once it is closed', async () => {
  const asked = countedThread(1);
  asked.start();
  await asked.close();
  asked.start();
  const other = countedThread(1);
  other.start();
  await until('another thread runs', () => other.starts() === 1);
  expect(asked.starts()).toBe(0);
  await other.close();
});

it.each(['sqlite', 'postgres'])('needs no schemas, and their memory, for the figures of %s', (store) => {
  const code = `import { registerHooks } from 'node:module';
    registerHooks({ load(url, context, next) { console.log(url); return next(url, context); } });
    await import(process.argv[1]).catch(() => undefined);`;
  const file = new URL(`../${store}/stats/stats-thread.ts`, import.meta.url).href;
  const loaded = execFileSync(process.execPath, ['--input-type=module', '-e', code, file], { encoding: 'utf8' });
  expect(loaded).toContain('/relay/store/stats/tally.ts\n');
  expect(loaded).not.toContain('/node_modules/zod/');
});
