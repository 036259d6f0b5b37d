import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Reply, scriptedKey, scriptedRelay } from '../test/support/operators/scripted-relay.ts';

const main = join(import.meta.dirname, 'main.ts');
const at = '2026-11-21T12:00:00.000Z';
const full = '/dev/full';

const done: Reply = { status: 200, headers: { 'x-operation-id': 'op_1' }, body: { recurring_id: 'R-1' } };

function ended(outcome: 'succeeded' | 'failed' | 'unknown'): Reply {
  const known = { status: 'answered', created_at: at, by: 'server', request: {}, answer: {}, items: [outcome] };
  return { status: 200, body: { id: 'op_1', operation: 'subscription_cancel', ...known } };
}

/** Runs the program with a standard output that takes nothing. */
async function exitCode(args: readonly string[], replies: [Reply, ...Reply[]], output: 'full' | 'gone') {
  const relay = await scriptedRelay(...replies);
  const stdout = output === 'full' ? openSync(full, 'w') : 'pipe';
  const env = { PATH: process.env.PATH, HOME: '/nonexistent', TURNPIKE_URL: relay.url, TURNPIKE_API_KEY: scriptedKey };
  const child = spawn(process.execPath, [main, ...args], { env, stdio: ['ignore', stdout, 'ignore'] });
  if (stdout !== 'pipe') closeSync(stdout);
  child.stdout?.destroy();
  const [code] = await once(child, 'exit');
  return code;
}

describe('turnpike whose output is closed', () => {
  const cancel = ['subscription', 'cancel', 'R-1', '--yes'];

  it.each([
    ['succeeded', 0],
    ['failed', 1],
    ['unknown', 3],
  ] as const)('ends with the code of an operation that is %s', async (outcome, code) => {
    expect(await exitCode(cancel, [done, ended(outcome)], 'gone')).toBe(code);
    if (existsSync(full)) expect(await exitCode(cancel, [done, ended(outcome)], 'full')).toBe(code);
  });

  it('ends a list with 0 for a reader that has enough', async () => {
    expect(await exitCode(['orders', 'list'], [{ status: 200, body: { orders: [] } }], 'gone')).toBe(0);
  });

  it.runIf(existsSync(full))('ends a list with 1 on a full disk', async () => {
    expect(await exitCode(['orders', 'list'], [{ status: 200, body: { orders: [] } }], 'full')).toBe(1);
  });
});

/** Writes the address of each module that is loaded to the standard error. */
const watch = `import { registerHooks } from 'node:module';
registerHooks({ load: (url, context, next) => (console.error(url), next(url, context)) });`;

describe('turnpike at its start', () => {
  const loaded = (...args: string[]): string =>
    execFileSync('sh', ['-c', 'exec "$@" 2>&1 >/dev/null', 'sh', process.execPath, '--import', hooks, main, ...args], {
      encoding: 'utf8',
    });
  const hooks = `data:text/javascript,${encodeURIComponent(watch)}`;

  it.each(['--help', '--version'])('loads no command for %s', (option) => {
    const modules = loaded(option);
    expect(modules).toContain('/cli/program.ts');
    expect(modules).not.toMatch(/zod|\/client\/client\.ts|-command/);
  });

  it('loads the command that is used, without the client for its help', () => {
    const modules = loaded('--json', 'key', 'new', '--help');
    expect(modules).toContain('/cli/settings/new.ts');
    expect(modules).not.toMatch(/\/client\/client\.ts|\/cli\/records\//);
  });
});
