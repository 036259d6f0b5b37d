import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { z } from 'zod';
import { runBlocks } from '../support/doc-blocks.ts';
import { payWith, startReader } from '../support/doc-reader.ts';
import { checkShell } from '../support/doc-shell.ts';
import { apiKey, startTestRelay, testConfig } from '../support/relay.ts';
import { startRelayAndGateway } from '../support/server-page.ts';
import { launchChromium, phone } from '../support/stack.ts';

const patient = { timeout: 20_000 };
let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

const native = (name: string) => readFileSync(join(import.meta.dirname, '../../examples/webview/native', name), 'utf8');
const message = z.looseObject({ channel: z.string(), type: z.string(), detail: z.looseObject({}).optional() });

runBlocks('docs/web-views.md', [
  { language: 'sh', says: 'npm run example -- webview', run: checkShell },
  {
    language: 'json',
    says: '"channel": "turnpike"',
    async run(code) {
      const reader = await startReader(browser, { viewport: phone });
      const told: string[] = [];
      await reader.page.exposeFunction('tell', (text: string) => void told.push(text));
      await reader.page.addInitScript('window.ReactNativeWebView = { postMessage: (text) => tell(text) };');
      await reader.page.goto(reader.made.checkoutUrl);
      await payWith(reader.page);
      const results = () => told.map((text) => message.parse(JSON.parse(text))).filter(({ type }) => type === 'result');
      await expect.poll(results, patient).toHaveLength(1);
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
      expect(back.headers.get('location')).toBe(`demoapp://paid?session=${session.id}&order_no=W-1&status=open`);
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
      await reader.heard('ready');
      expect(reader.complaints).toEqual([]);
    },
  },
]);
