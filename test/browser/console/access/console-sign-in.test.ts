import { expect, it, onTestFinished } from 'vitest';
import { sharedChromium } from '../../../support/browsers/chromium.ts';
import { serve } from '../../../support/http/http-server.ts';
import { builtConsole, startConsole } from '../../../support/operators/console.ts';

it('a browser keeps the console’s cookie on loopback, hidden from scripts', async () => {
  const relay = await startConsole({ consolePage: builtConsole() });
  const browser = await sharedChromium();
  const page = await browser.newPage();
  await page.goto(`${relay.url}/console/orders`);
  const statuses = await page.evaluate(async () => {
    const body = JSON.stringify({ name: 'Ada', password: 'ada’s' });
    const headers = { 'content-type': 'application/json' };
    const signedIn = await fetch('/console/api/sign-in', { method: 'POST', headers, body });
    const me = await fetch('/console/api/me');
    const { csrf } = await me.json();
    const out = await fetch('/console/api/sign-out', { method: 'POST', headers: { 'x-csrf-token': csrf } });
    const after = await fetch('/console/api/me');
    return { all: [signedIn.status, me.status, out.status, after.status], cookie: document.cookie };
  });
  expect(statuses).toEqual({ all: [200, 200, 204, 401], cookie: '' });
  await page.close();
});

it('no page of another origin can frame the console', async () => {
  const relay = await startConsole({ consolePage: builtConsole() });
  const browser = await sharedChromium();
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  const other = await serve((_req, res) => {
    res.setHeader('Content-Type', 'text/html');
    res.end(`<iframe src="${relay.url}/console"></iframe>`);
  });
  onTestFinished(other.close);
  await page.goto(other.url);
  await expect.poll(() => complaints.join()).toMatch(/frame-ancestors/);
  const framed = page.frames().find((frame) => frame !== page.mainFrame());
  expect(await framed?.locator('#console').count()).toBe(0);
  await page.close();
});
