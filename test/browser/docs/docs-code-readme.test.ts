import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { beforeAll, expect } from 'vitest';
import { z } from 'zod';
import { sharedChromium } from '../../support/browsers/chromium.ts';
import { runBlocks } from '../../support/docs/doc-blocks.ts';
import { readCurl } from '../../support/docs/doc-curl.ts';
import { payWith, type Reader, startReader } from '../../support/docs/doc-reader.ts';
import { checkShell } from '../../support/docs/doc-shell.ts';
import { apiKey, startTestRelay, testConfig } from '../../support/relays/relay.ts';
import { startRelayAndGateway } from '../../support/relays/server-page.ts';
import { phone } from '../../support/relays/stack.ts';

const root = join(import.meta.dirname, '../../..');
let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});

runBlocks('README.md', [
  { language: 'sh', says: 'npm ci && npm start', run: checkShell },
  { language: 'sh', says: 'npm ci && npm test', run: checkShell },
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
    language: 'text',
    says: 'shared/     schemas',
    run(code) {
      const named = [...code.matchAll(/^(\w+)\/ /gm)].map(([, name]) => name);
      const others = ['dist', 'data', 'node_modules', 'coverage', 'test-results'];
      const here = readdirSync(root, { withFileTypes: true }).filter(
        (entry) => entry.isDirectory() && !entry.name.startsWith('.') && !others.includes(entry.name),
      );
      expect(new Set(named)).toEqual(new Set(here.map(({ name }) => name)));
    },
  },
]);

/** Sends the request of a README curl command to a test relay, with the shop's own address in it. */
function sendCurl(code: string, { relay, shopUrl }: Reader) {
  const { url, headers, body } = readCurl(code, { TURNPIKE_API_KEY: apiKey });
  const { origin, pathname } = new URL(url);
  expect(origin).toBe('http://127.0.0.1:8080');
  return relay.send(pathname, {
    method: 'POST',
    headers,
    body: body.replaceAll('http://127.0.0.1:8082', shopUrl),
  });
}

const native = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../../examples/webview/native', name), 'utf8');
const message = z.looseObject({ channel: z.string(), type: z.string(), detail: z.looseObject({}).optional() });

runBlocks('docs/web-views.md', [
  { language: 'sh', says: 'npm run example -- webview', run: checkShell },
  {
    language: 'json',
    says: '"channel": "turnpike"',
    async run(code) {
      const reader = await startReader(browser, { viewport: phone });
      const messages: string[] = [];
      await reader.page.exposeFunction('tell', (text: string) => void messages.push(text));
      await reader.page.addInitScript('window.ReactNativeWebView = { postMessage: (text) => tell(text) };');
      await reader.page.goto(reader.made.checkoutUrl);
      await payWith(reader.page);
      const results = () =>
        messages.map((text) => message.parse(JSON.parse(text))).filter(({ type }) => type === 'result');
      await expect.poll(results).toHaveLength(1);
      const shown = message.parse(JSON.parse(code));
      const [result] = results();
      expect(Object.keys(result?.detail ?? {})).toEqual(Object.keys(shown.detail ?? {}));
      expect({ ...result, detail: shown.detail }).toEqual(shown);
    },
  },
  {
    language: 'json',
    says: '"return_urls"',
    async run(code) {
      const { return_urls } = z.strictObject({ return_urls: z.array(z.string()) }).parse(JSON.parse(code));
      const accounts = z.array(z.looseObject({})).parse(testConfig({ gatewayUrl: '', folder: '' }).accounts);
      const config = { accounts: accounts.map((account) => ({ ...account, return_urls })) };
      const relay = await startTestRelay({ gatewayUrl: 'http://127.0.0.1:9', config });
      await relay.session({ return_url: 'demoapp://paid' });
      await expect(relay.session({ return_url: 'demoapp://elsewhere' })).rejects.toThrow('return_url');
    },
  },
  {
    language: 'json',
    says: '"W-1"',
    async run(code) {
      const relay = await startRelayAndGateway();
      const { body: session } = await relay.post('/v1/sessions', apiKey, code);
      const { redirect_url } = (await relay.pay(String(session.client_secret), { payment_method: 'PIX' })).body;
      expect(redirect_url).toContain(`/checkout/${session.id}/issuer`);
      const back = await relay.get(`/return/${session.id}`);
      expect(back.headers.get('location')).toBe(`demoapp://paid?session=${session.id}&order_no=W-1&status=redirected`);
    },
  },
  { language: 'jsx', says: '', run: (code) => expect(code).toBe(native('Checkout.jsx')) },
  { language: 'kotlin', says: '', run: (code) => expect(code).toBe(native('CheckoutActivity.kt')) },
  { language: 'swift', says: '', run: (code) => expect(code).toBe(native('CheckoutViewController.swift')) },
  {
    language: 'html',
    says: 'location.hash.slice(1)',
    async run(code) {
      const reader = await startReader(browser, { viewport: phone });
      const page = code.replace('https://pay.example', reader.relay.url);
      await reader.open(`<script>location.hash = '${reader.made.secret}';</script>${page}`);
      await reader.waitForEvent('ready');
      expect(reader.complaints).toEqual([]);
    },
  },
]);
