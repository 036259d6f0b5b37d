import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Example } from '../../../examples/build.ts';
import { checkoutOn } from '../../../testing/index.ts';
import { sharedChromium } from '../../support/browsers/chromium.ts';
import { buildExamples, card, testExamples } from '../../support/docs/example-pages.ts';
import { openPage, startStack } from '../../support/relays/stack.ts';

const root = join(import.meta.dirname, '../../..');
/** `npm run test:all` runs the others. */
const gated = ['plain', 'react'] as const;
let browser: Browser;
let folder: string;
let built: Map<string, Example>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'turnpike-examples-'));
  built = await buildExamples(gated, folder);
  browser = await sharedChromium();
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

testExamples(gated, () => built);

describe('npm run example', () => {
  function run(...names: string[]) {
    const ports = { PORT_RELAY: '0', PORT_GATEWAY: '0', PORT_SHOP: '0', PORT_EXAMPLE: '0' };
    const env = { ...process.env, ...ports, NODE_ENV: 'production' };
    const child = spawn(process.execPath, ['examples/start.ts', ...names], { cwd: root, env });
    onTestFinished(() => void child.kill('SIGKILL'));
    const printed = { out: '', err: '' };
    child.stdout.on('data', (text) => (printed.out += text));
    child.stderr.on('data', (text) => (printed.err += text));
    const ended = once(child, 'close').then(([code]) => code);
    return { child, printed, ended };
  }

  it('starts the sandbox with an example, and Ctrl-C stops both', async () => {
    const { child, printed, ended } = run('plain');
    await expect.poll(() => printed.out).toContain('Ctrl-C stops everything');
    const { page, complaints } = await openPage(browser);
    await page.goto(/Example +(http:\S+) +examples\/plain/.exec(printed.out)?.[1] ?? '');
    const checkout = checkoutOn(page);
    await checkout.fill(card);
    expect(await checkout.pay()).toMatchObject({ status: 'approved' });
    await page.locator('output', { hasText: /^EX-\w+: approved$/ }).waitFor();
    expect(complaints).toEqual([]);
    child.kill('SIGINT');
    expect(await ended).toBe(0);
    expect(printed.err).toBe('');
  });

  it('lists the examples', async () => {
    const { printed, ended } = run('angular');
    expect(await ended).toBe(1);
    expect(printed.err).toBe('Which example? npm run example -- plain|react|vue|svelte|express|webview\n');
  });
});

describe('turnpike.js on a server', () => {
  it.each(['module', 'commonjs'])('does nothing without a document when imported as a %s', async (type) => {
    const { relay } = await startStack();
    const { text } = await relay.get('/turnpike.js');
    const file = join(folder, `turnpike.${type === 'module' ? 'mjs' : 'cjs'}`);
    await writeFile(file, text);
    const script = `const before = Object.keys(globalThis); await import(${JSON.stringify(file)});
      console.log(Object.keys(globalThis).filter((name) => !before.includes(name)), typeof Turnpike);`;
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
    expect(stderr).toBe('');
    expect(stdout).toBe('[] undefined\n');
  });
});
