import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { sha256 } from '../../relay/keys.ts';
import { checkConfig } from '../../relay/load-config.ts';
import { runBlocks } from '../support/doc-blocks.ts';
import { readCurl } from '../support/doc-curl.ts';
import { openWith, payWith, type Reader, startReader } from '../support/doc-reader.ts';
import { checkShell } from '../support/doc-shell.ts';
import { apiKey, card } from '../support/relay.ts';
import { launchChromium } from '../support/stack.ts';

const root = join(import.meta.dirname, '../..');
let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

runBlocks('README.md', [
  { language: 'sh', says: 'npm ci && npm start', run: checkShell },
  { language: 'sh', says: 'export API_KEY', run: checkShell },
  {
    language: 'json',
    says: '"public_url"',
    run(code) {
      const environment = { DEMO_SIGNING_SECRET: 'guards-no-real-money' };
      const config = checkConfig(JSON.parse(code.replace('THE_HASH_OF_THE_KEY', sha256(apiKey))), environment);
      expect(config.accounts.map(({ name }) => name)).toEqual(['Demo Shop']);
    },
  },
  {
    language: 'sh',
    says: '/v1/sessions',
    async run(code) {
      const reader = await startReader(browser);
      const { status, body } = await sendCurl(code, reader);
      expect(status).toBe(201);
      await reader.page.goto(String(body.checkout_url));
      await reader.page.getByRole('radio', { name: 'Pix' }).waitFor();
      await payWith(reader.page);
      await reader.page.getByRole('heading', { name: 'Payment approved' }).waitFor();
    },
  },
  {
    language: 'html',
    says: '<script type="module">',
    async run(code) {
      const reader = await startReader(browser);
      await reader.page.route('**/thanks?*', (route) => route.fulfill({ body: 'Thank you!' }));
      await reader.open(reader.own(code));
      await payWith(reader.form);
      await reader.page.waitForURL((url) => url.search === `?session=${reader.made.id}`);
      expect(reader.complaints).toEqual([]);
    },
  },
  {
    language: 'js',
    says: 'Turnpike.checkout(',
    async run(code) {
      const reader = await openWith(browser, '<div id="pay"></div>', { script: code });
      await reader.form.getByRole('button', { name: /Pagar/ }).waitFor();
      expect(reader.complaints).toEqual([]);
    },
  },
  {
    language: 'sh',
    says: '/v1/refund',
    async run(code) {
      const reader = await startReader(browser, { session: { order: { order_no: 'A-1001' } } });
      const { transaction_id } = (await reader.relay.pay(reader.made.secret, card)).body;
      const { status } = await sendCurl(code.replace('THE_TRANSACTION', String(transaction_id)), reader);
      expect(status).toBe(200);
    },
  },
  {
    language: 'text',
    says: 'shared/     the contract',
    run(code) {
      const rooms = [...code.matchAll(/^( *)(\w+)\/ /gm)];
      const path: string[] = [];
      for (const [, indent = '', name = ''] of rooms) {
        path.splice(indent.length / 2, path.length, name);
        expect(existsSync(join(root, ...path)), `there is no ${path.join('/')}`).toBe(true);
      }
      const named = rooms.flatMap(([, indent, name]) => (indent ? [] : [name]));
      const others = ['dist', 'data', 'node_modules', 'coverage', 'test-results'];
      const here = readdirSync(root, { withFileTypes: true }).filter(
        (entry) => entry.isDirectory() && !entry.name.startsWith('.') && !others.includes(entry.name),
      );
      expect(new Set(named)).toEqual(new Set(here.map(({ name }) => name)));
    },
  },
]);

/** Sends what a curl command of the README sends, to the relay of a test, with the shop's own address in it. */
function sendCurl(code: string, { relay, shopUrl }: Reader) {
  const { url, headers, body } = readCurl(code, { API_KEY: apiKey });
  const { origin, pathname } = new URL(url);
  expect(origin).toBe('http://127.0.0.1:8080');
  return relay.send(pathname, {
    method: 'POST',
    headers,
    body: body.replaceAll('http://127.0.0.1:8082', shopUrl),
  });
}
