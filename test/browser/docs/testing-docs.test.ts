import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as client from '../../../client/index.ts';
import { servers } from '../../../examples/servers.ts';
import { type Stack, startStack } from '../../../sandbox/stack.ts';
import * as kit from '../../../testing/index.ts';
import { sharedChromium } from '../../support/browsers/chromium.ts';
import { pageText, runBlocks } from '../../support/docs/doc-blocks.ts';
import { checkShell } from '../../support/docs/doc-shell.ts';
import { runPlaywrightTests } from '../../support/docs/playwright-tests.ts';
import { openPage } from '../../support/relays/stack.ts';

const path = 'docs/testing.md';
const webhookSecret = `whsec_${randomBytes(32).toString('base64')}`;
let browser: Browser;
let stack: Stack;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-testing-docs-'));
  const ports = { PORT_RELAY: '0', PORT_GATEWAY: '0', PORT_SHOP: '0', PORT_EXAMPLE: '0' };
  stack = await startStack({
    env: { ...process.env, ...ports, TURNPIKE_WEBHOOK_SECRET: webhookSecret },
    root: join(import.meta.dirname, '../../..'),
    relayEntry: 'relay/main.ts',
    dataDir: join(folder, 'data'),
    errors: process.stderr,
    beside: { part: { name: 'example', variable: 'PORT_EXAMPLE', port: 0 }, title: 'express', ...servers.express },
  });
  browser = await sharedChromium();
});
afterAll(async () => {
  await stack.stop();
  rmSync(folder, { recursive: true });
});

/** A session that asks for every field that the page's shopper fills in. */
async function checkoutUrl(): Promise<string> {
  const turnpike = client.createClient({ url: stack.urls.relay, apiKey: stack.apiKey });
  const { checkout_url } = await turnpike.sessions.create({
    order: { order_no: `D-${randomBytes(5).toString('hex')}`, currency: 'BRL', amount: '90.00' },
    collect: ['email', 'phone', 'document', 'birth_date', 'billing_address', 'delivery_address'],
    installment_options: [{ installments: '1' }, { installments: '3', each: '30.00' }],
    save_card: 'ask',
  });
  return checkout_url;
}

runBlocks(path, [
  { language: 'sh', says: 'npm ', run: checkShell },
  {
    language: 'ts',
    says: '@playwright/test',
    async run(code) {
      const { shop, relay, beside = '' } = stack.urls;
      const own = code
        .replaceAll('http://127.0.0.1:8080', relay)
        .replaceAll('http://127.0.0.1:8082', shop)
        .replaceAll('http://127.0.0.1:8083', beside)
        .replaceAll('CHECKOUT_URL', await checkoutUrl());
      const env = { TURNPIKE_API_KEY: stack.apiKey, TURNPIKE_WEBHOOK_SECRET: webhookSecret };
      const known = { ...client, ...kit, Webhook, process: { env } };
      await runPlaywrightTests(own, known, async () => (await openPage(browser)).page);
    },
  },
]);

it('agrees with the kit and the sandbox about each card', () => {
  const rows = [...pageText(path).matchAll(/^\| ([\d ]+) \| `(\w+)` \| (.+) \|$/gm)];
  expect(rows.length).toBeGreaterThan(3);
  for (const [, number, name, comes = ''] of rows) {
    const [, card] = Object.entries(kit.testCards).find(([known]) => known === name) ?? [];
    expect(card?.number).toBe(number?.replaceAll(' ', ''));
    expect(comes).toContain(card?.outcome.status);
    if (card?.outcome.status === 'declined') expect(comes).toContain(card.outcome.advice);
  }
});
