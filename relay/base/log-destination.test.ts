import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { until } from '../../test/support/time/until.ts';

const node = join(import.meta.dirname, '../../node_modules/.bin/node');

/** The source of a process that logs what `script` says with a log as the relay's. */
const sourceOf = (
  script: string,
): string => `import { createLog } from ${JSON.stringify(`${import.meta.dirname}/log.ts`)};
    const log = createLog('info');
    const many = (count) => { for (let i = 0; i < count; i++) log.info({ count: i }, 'one of many lines'); };
    ${script}`;

/** Such a process, and how it ends. */
function logging(script: string) {
  const child = spawn(node, ['--input-type=module-typescript', '-e', sourceOf(script)], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { ...process.env, UV_THREADPOOL_SIZE: '1' },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, exited: once(child, 'exit').then(([code, signal]) => code ?? signal) };
}

async function lines({ stdout }: ChildProcess): Promise<Line[]> {
  let text = '';
  for await (const part of stdout ?? []) text += part;
  return linesIn(text);
}

type Line = { msg: string; count: number };

const linesIn = (text: string): Line[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

/** Ends a process that leads a group, and what it started. */
function endGroup({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, 'SIGKILL');
}

it.each([
  ['exits', 'process.exit(3);'],
  ['logs a fatal line and exits', "log.fatal({}, 'the end'); process.exit(3);"],
])('lets a process end that %s when its log has no reader', async (_what, end) => {
  const { child, exited } = logging(`process.once('message', () => { many(1000); ${end} }); process.send('ready');`);
  await once(child, 'message');
  child.stdout?.destroy();
  await once(child.stdout ?? child, 'close');
  child.send('go');
  expect(await exited).toBe(3);
});

it('lets a process run and stop without a reader of its log', async () => {
  const { child, exited } = logging(`
    process.once('SIGTERM', () => { many(10); process.exit(4); });
    process.on('message', () => { many(10); setTimeout(() => process.send('alive'), 50); });
    process.send('ready');`);
  await once(child, 'message');
  child.stdout?.destroy();
  await once(child.stdout ?? child, 'close');
  for (let times = 0; times < 3; times++) {
    child.send('go');
    await once(child, 'message');
  }
  child.kill('SIGTERM');
  expect(await exited).toBe(4);
});

it('writes every line in order before the process exits', async () => {
  // Its reader does nothing else: a process that ends waits only a second for a reader that is slow.
  const source = sourceOf("many(20_000); log.fatal({}, 'the end'); process.exit(3);");
  const file = join(mkdtempSync(join(tmpdir(), 'turnpike-log-')), 'log');
  const piped = '{ "$0" --input-type=module-typescript -e "$1"; echo $? > "$2.code"; } | cat > "$2"';
  const child = spawn('sh', ['-c', piped, node, source, file], { stdio: 'inherit' });
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(readFileSync(`${file}.code`, 'utf8')).toBe('3\n');
  const written = linesIn(readFileSync(file, 'utf8'));
  expect(written).toHaveLength(20_001);
  expect(written.slice(0, -1).every(({ count }, at) => count === at)).toBe(true);
  expect(written.at(-1)).toMatchObject({ msg: 'the end' });
});

it('writes every line in order though the thread for files is busy', async () => {
  const { child, exited } = logging(`
    const { pbkdf2 } = await import('node:crypto');
    pbkdf2('a', 'b', 300_000, 64, 'sha512', () => undefined);
    many(1); setImmediate(() => { many(300); process.exit(3); });`);
  const written = await lines(child);
  expect(await exited).toBe(3);
  expect(written.map(({ count }) => count)).toEqual([0, ...Array.from({ length: 300 }, (_, at) => at)]);
});

it('writes every line of a process that logs in turns', async () => {
  const { child, exited } = logging(
    "let turn = 0; const next = () => { many(100); if (++turn < 50) setImmediate(next); }; next(); process.on('message', next);",
  );
  let text = '';
  child.stdout?.on('data', (part) => {
    text += part;
  });
  // It ends once all are read: a process that ends waits only a second for a reader that is slow.
  await until('all lines are read', () => text.split('\n').length > 5000);
  child.disconnect();
  expect(await exited).toBe(0);
  expect(text.trimEnd().split('\n')).toHaveLength(5000);
});

it('keeps no more lines than it may for a slow reader', async () => {
  const { child, exited } = logging(`
    const { logTo } = await import(${JSON.stringify(`${import.meta.dirname}/log-destination.ts`)});
    const { write } = logTo(1, (dropped) => JSON.stringify({ dropped }) + '\\n', 10_000);
    for (let count = 0; count < 100_000; count++) write(JSON.stringify({ count }) + '\\n');
    process.disconnect();`);
  const written = await lines(child);
  expect(await exited).toBe(0);
  const told = written.pop();
  expect(written.length).toBeGreaterThan(500);
  expect(written.length).toBeLessThan(1000);
  expect(written.every(({ count }, at) => count === at)).toBe(true);
  expect(told).toEqual({ dropped: 100_000 - written.length });
});

it('writes what is logged while the process exits', async () => {
  const { child, exited } = logging("process.on('exit', () => many(3)); many(2); process.disconnect();");
  expect((await lines(child)).map(({ count }) => count)).toEqual([0, 1, 0, 1, 2]);
  expect(await exited).toBe(0);
});

it('lets a process go on beside a terminal that shows nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-log-'));
  const source = `import { createLog } from ${JSON.stringify(`${import.meta.dirname}/log.ts`)};
    import { writeFileSync } from 'node:fs';
    const log = createLog('info');
    for (let i = 0; i < 20_000; i++) log.info({ count: i }, 'one of many lines that are more than a terminal holds');
    setTimeout(() => { writeFileSync(${JSON.stringify(join(folder, 'alive'))}, ''); process.exit(5); }, 100);`;
  writeFileSync(join(folder, 'logs.ts'), source);
  // The terminal has no reader, so that it takes no more after a while.
  const terminal = spawn('script', ['-qfc', `${node} ${join(folder, 'logs.ts')}`, '/dev/null'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  await once(terminal, 'spawn');
  onTestFinished(() => endGroup(terminal));
  await until('the process goes on', () => existsSync(join(folder, 'alive')));
});

it('lets a process end while the reader of its log reads nothing', async () => {
  const source = `import { createLog } from ${JSON.stringify(`${import.meta.dirname}/log.ts`)};
    const log = createLog('info');
    process.on('SIGTERM', () => process.exit(5));
    for (let i = 0; i < 3000; i++) log.info({ count: i }, 'one of many lines that are more than a pipe holds');
    setInterval(() => undefined, 1000);
    setTimeout(() => process.stderr.write('full\\n'), 200);`;
  // A shell's pipe blocks its writers while it is full.
  const shell = spawn(
    'sh',
    [
      '-c',
      '{ "$0" --input-type=module-typescript -e "$1" & echo $! >&2; wait $!; echo "ended $?" >&2; } | sleep 30',
      node,
      source,
    ],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    },
  );
  await once(shell, 'spawn');
  onTestFinished(() => endGroup(shell));
  let told = '';
  for await (const part of shell.stderr) {
    told += part;
    if (told.endsWith('full\n')) process.kill(Number.parseInt(told, 10), 'SIGTERM');
    if (told.includes('ended')) break;
  }
  expect(told).toMatch(/ended 5\n$/);
});
