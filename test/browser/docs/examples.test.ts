import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { buildExample, type Example, examples } from '../../../examples/build.ts';
import { createExample } from '../../../examples/server.ts';
import { checkoutOn, testCards } from '../../../testing/index.ts';
import { sharedChromium } from '../../support/browsers/chromium.ts';
import { formIn, openPage, startStack } from '../../support/relays/stack.ts';

const root = join(import.meta.dirname, '../../..');
const card = { card: testCards.approved.number, expiry: '12/30', securityCode: '737', name: 'Ada King Byron' };
let browser: Browser;
let folder: string;
const built = new Map<string, Example>();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'turnpike-examples-'));
  // Under a test's NODE_ENV the frameworks are built as for development: they complain of every mistake that they can see.
  for (const name of examples) built.set(name, await buildExample(name, join(folder, name)));
  browser = await sharedChromium();
}, 120_000);
afterAll(async () => {
  await rm(folder, { recursive: true });
});

describe.each(examples)('the %s example', (name) => {
  /** The example's own server, on another site than the relay. */
  async function start() {
    const example = built.get(name);
    if (!example) throw new Error(`${name} is not built`);
    const stack = await startStack({ createShop: (shop) => createExample({ example, ...shop }) });
    return { ...stack, url: stack.shopUrl.replace('127.0.0.1', 'localhost') };
  }

  it('hydrates, keeps what is typed as all else changes, and pays', async () => {
    const { gateway, relay, url } = await start();
    const html = await (await fetch(url)).text();
    const [, session = '', content = ''] =
      /<turnpike-checkout session="([\w.-]+)" locale="en" theme="light">(.*?)<\/turnpike-checkout>/s.exec(html) ?? [];
    const [, href] = /<a href="([^"]+)">Pay here<\/a>/.exec(content) ?? [];
    expect(href).toBe(`${relay.url}/checkout/${session.split('.')[0]}#${session}`);
    expect(html).toMatch(
      /<script src="[^"]+\/turnpike-\w+\.js" integrity="sha384-[^"]+" crossorigin="anonymous" async>/,
    );

    const { page, complaints } = await openPage(browser);
    await page.addInitScript(() => {
      new MutationObserver((_, observer) => {
        const rendered = document.querySelector('turnpike-checkout');
        if (!rendered) return;
        Object.assign(window, { rendered });
        observer.disconnect();
      }).observe(document, { childList: true, subtree: true });
    });
    const checkout = checkoutOn(page);
    await page.goto(url);
    await checkout.fill(card);
    await formIn(page)
      .getByRole('button', { name: /65\.00/ })
      .waitFor();
    const isAsRendered = () =>
      page.evaluate(() => 'rendered' in window && window.rendered === document.querySelector('turnpike-checkout'));
    expect(await isAsRendered()).toBe(true);
    await page.getByLabel('Language').selectOption('pt-BR');
    await page.getByLabel('Theme').selectOption('dark');
    await page.getByRole('button', { name: 'One more tin' }).click();
    const form = formIn(page);
    await form.getByRole('button', { name: /130,00/ }).waitFor();
    await form.locator('html[data-theme=dark]').waitFor();
    expect(await form.locator('[autocomplete="cc-number"]').inputValue()).toBe('4111 1111 1111 1111');
    expect(await form.locator('[autocomplete="cc-csc"]').inputValue()).toBe('737');
    expect(await form.locator('html').evaluate((html) => html.style.getPropertyValue('--turnpike-radius'))).toBe(
      '10px',
    );
    expect(await checkout.pay()).toMatchObject({ status: 'approved' });
    await page.locator('output', { hasText: /^EX-\w+: approved$/ }).waitFor();
    expect(gateway.payments.list()).toMatchObject([{ order: { amount: '130.00' } }]);
    expect(await isAsRendered()).toBe(true);
    expect(complaints).toEqual([]);
  });
});

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

  it('starts the sandbox with an example beside it, and Ctrl-C stops both', async () => {
    const { child, printed, ended } = run('plain');
    await expect.poll(() => printed.out, { timeout: 60_000 }).toContain('Ctrl-C stops everything');
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
  }, 90_000);

  it('says which examples there are', async () => {
    const { printed, ended } = run('angular');
    expect(await ended).toBe(1);
    expect(printed.err).toBe('Which example? npm run example -- plain|react|vue|svelte|express|webview\n');
  });
});

describe('turnpike.js on a server', () => {
  it.each(['module', 'commonjs'])('does nothing without a page when it is imported as a %s', async (type) => {
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
