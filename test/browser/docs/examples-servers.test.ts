import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../../client/index.ts';
import { servers } from '../../../examples/servers.ts';
import { startStack } from '../../../sandbox/stack.ts';
import { approveAtIssuer, checkoutOn, testCards } from '../../../testing/index.ts';
import { sharedChromium } from '../../support/browsers/chromium.ts';
import { desktop, openPage, startStack as startTestStack } from '../../support/relays/stack.ts';

const ada = { expiry: '12/30', securityCode: '737', name: 'Ada Byron' };
const approved = { ...ada, card: testCards.approved.number };

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});

/** The shop beside the complete sandbox, as `npm run example` starts it. */
async function startShop() {
  const name = 'express';
  const dataDir = await mkdtemp(join(tmpdir(), 'turnpike-examples-'));
  const stack = await startStack({
    env: { ...process.env, PORT_RELAY: '0', PORT_GATEWAY: '0', PORT_SHOP: '0', PORT_EXAMPLE: '0' },
    root: join(import.meta.dirname, '../../..'),
    relayEntry: 'relay/main.ts',
    dataDir,
    errors: process.stderr,
    beside: { part: { name: 'example', variable: 'PORT_EXAMPLE', port: 0 }, title: name, ...servers[name] },
  });
  onTestFinished(async () => {
    await stack.stop();
    await rm(dataDir, { recursive: true });
  });
  const watched = await openPage(browser, desktop);
  const { beside: url = '', relay } = stack.urls;
  return { ...watched, url, turnpike: createClient({ url: relay, apiKey: stack.apiKey }) };
}

describe('the express example', () => {
  it('sells, accepts only signed webhooks, and handles each once', async () => {
    const { page, context, url, turnpike, complaints } = await startShop();
    const checkout = checkoutOn(page);
    const books = async () => {
      const html = await (await context.request.get(page.url())).text();
      return ['payment', 'books'].map((id) => new RegExp(`id="${id}"[^>]*>([^<]*)<`).exec(html)?.[1]);
    };
    const paid = { timeout: 60_000 };
    const buy = async () => {
      await page.goto(url);
      await page.getByLabel('Tins').selectOption('2');
      await page.getByRole('button', { name: 'Buy' }).click();
      await checkout.ready();
    };

    await buy();
    await checkout.choose('card');
    await checkout.fill(approved);
    const outcome = await checkout.pay();
    expect(outcome).toMatchObject({ status: 'approved' });
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    await expect.poll(books, paid).toEqual(['approved', 'paid']);

    // The same webhook again, sent by hand: its id is known.
    const { events } = await turnpike.events.list();
    const [event] = events.filter(({ type }) => type === 'payment.ready');
    await turnpike.events.redeliver(event?.id ?? '');
    const tries = async () => (await turnpike.events.get(event?.id ?? '')).delivery;
    await expect.poll(tries, paid).toMatchObject({ status: 'delivered', tries: 1 });
    await page.reload();
    expect(await page.locator('#books').textContent()).toBe('paid');
    expect(await page.locator('#parcels').textContent()).toBe('1');

    await buy();
    await checkout.choose('Pix');
    expect(await checkout.pay()).toEqual({ status: 'redirect' });
    await approveAtIssuer(page);
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    await expect.poll(books, paid).toEqual(['approved', 'paid']);

    // The tab is closed before the payment has an outcome, and the checkout is opened again.
    await buy();
    const address = page.url();
    await checkout.choose('card');
    await checkout.fill({ ...ada, card: testCards.reset.number });
    expect(await checkout.pay()).toEqual({ status: 'unknown' });
    await page.goto('about:blank');
    await page.goto(address);
    await page.getByRole('heading', { name: 'Thank you' }).waitFor({ timeout: 60_000 });
    await expect.poll(books, paid).toEqual(['approved', 'paid']);
    expect(complaints).toEqual([]);

    // Neither the address of the thank-you page nor an unsigned webhook proves a payment.
    await page.goto(url);
    await page.getByRole('button', { name: 'Buy' }).click();
    const order_no = /EX-\w+/.exec((await page.locator('h1').textContent()) ?? '')?.[0] ?? '';
    const thanks = await page.locator('#thanks').evaluate((link) => link.getAttribute('href') ?? '');
    const id = 'msg_forged';
    const body = JSON.stringify({ type: 'payment.ready', timestamp: new Date(), data: { order_no, confirmed: true } });
    const forged = await fetch(`${url}/webhooks`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
        'webhook-signature': new Webhook(Buffer.from('another secret').toString('base64')).sign(id, new Date(), body),
      },
      body,
    });
    expect(forged.status).toBe(400);
    await page.goto(`${url}${thanks}&status=approved`);
    expect(await page.locator('#books').textContent()).toBe('waiting for the payment');
    expect(await page.locator('h1').textContent()).toBe('Your order is not paid yet');
    expect((await page.goto(`${url}/thanks?session=cs_nobody`))?.status()).toBe(404);
    expect((await page.goto(`${url}/thanks`))?.status()).toBe(404);
  });
});

describe('the webview example', () => {
  it('plays an app that receives checkout events and queries its server', async () => {
    const { shopUrl } = await startTestStack({ createShop: servers.webview.createApp });
    const { page, complaints } = await openPage(browser, desktop);
    await page.goto(shopUrl);
    await page.getByRole('button', { name: /Buy/ }).click();
    const checkout = checkoutOn(page, { inside: page.frameLocator('iframe[title="Web view"]') });
    await checkout.fill(approved);
    expect(await checkout.pay()).toMatchObject({ status: 'approved' });
    await page.locator('output', { hasText: /^APP-\w+: approved$/ }).waitFor();
    const messages = await page.locator('#messages li').allTextContents();
    expect(messages.map((line) => line.split(' ')[0])).toEqual(expect.arrayContaining(['ready', 'submit', 'result']));
    expect(complaints).toEqual([]);
  });
});
