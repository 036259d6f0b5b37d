import { expect, it } from 'vitest';
import { firefoxWith, openFirefoxPage } from '../support/browsers/firefox.ts';
import { builtConsole, startConsole } from '../support/operators/console.ts';

const browser = firefoxWith({});

it('Firefox keeps the console’s cookie on loopback', async () => {
  const relay = await startConsole({ consolePage: builtConsole() });
  const { page } = await openFirefoxPage(browser());
  await page.goto(`${relay.url}/console`);
  const statuses = await page.evaluate(async () => {
    const body = JSON.stringify({ name: 'Ada', password: 'ada’s' });
    const headers = { 'content-type': 'application/json' };
    const signedIn = await fetch('/console/api/sign-in', { method: 'POST', headers, body });
    return [signedIn.status, (await fetch('/console/api/me')).status];
  });
  expect(statuses).toEqual([200, 200]);
});
