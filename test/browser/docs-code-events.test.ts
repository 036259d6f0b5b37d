import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { blockWith, runBlocks } from '../support/doc-blocks.ts';
import { element, openWith, payWith, startReader } from '../support/doc-reader.ts';
import { apiKey } from '../support/relay.ts';
import { launchChromium } from '../support/stack.ts';

const patient = { timeout: 20_000 };
let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

runBlocks('docs/events.md', [
  {
    language: 'html',
    says: "addEventListener('result'",
    async run(code) {
      const reader = await openWith(browser, code);
      await payWith(reader.form, '4000000000000002');
      await expect.poll(() => reader.page.locator('output').textContent(), patient).toBe('declined');
      expect(reader.complaints).toEqual([]);
    },
  },
  {
    language: 'js',
    says: "checkout.off('result', show)",
    async run(code) {
      const [listening = '', end = ''] = code.split(/^(?=checkout\.off)/m);
      const said: string[] = [];
      const reader = await startReader(browser);
      const { own, open, loader, page, form, context } = reader;
      page.on('console', (message) => said.push(`${message.type()} ${message.text()}`));
      const script = own(`${listening}\nwindow.rest = () => { ${end} };`);
      await open('<div id="pay"></div>', { head: loader, script });
      await payWith(form, '4000000000000002');
      await expect.poll(() => said, patient).toContain('log declined');
      await page.evaluate('rest()');
      await form.locator('[autocomplete="cc-csc"]').fill('737');
      await context.setOffline(true);
      await form.locator('button[type=submit]').click();
      await expect.poll(() => said.join('\n'), patient).toMatch(/warning offline You are offline/);
      await context.setOffline(false);
      await form.locator('button[type=submit]').click();
      await form.getByText('Your bank declined the payment').waitFor();
      expect(said.filter((line) => line === 'log declined')).toHaveLength(1);
    },
  },
  {
    language: 'js',
    says: "location.assign('/thanks?session=SESSION_ID')",
    async run(code) {
      const reader = await openWith(browser, element, { script: code });
      await reader.page.route('**/thanks?*', (route) => route.fulfill({ body: 'Thank you!' }));
      await payWith(reader.form);
      await reader.page.waitForURL((url) => url.pathname === '/thanks', { waitUntil: 'commit' });
      expect(new URL(reader.page.url()).searchParams.get('session')).toBe(reader.made.id);
    },
  },
  {
    language: 'js',
    says: '/outcome`)).json()',
    async run(code) {
      const reader = await startReader(browser);
      const { id } = reader.made;
      await reader.page.route(`**/orders/${id}/outcome`, (route) => route.fulfill({ json: { paid: true } }));
      await reader.open('<output></output>', { script: `history.replaceState(0, '', '?session=${id}');\n${code}` });
      await expect.poll(() => reader.page.locator('output').textContent(), patient).toBe('Thank you!');
    },
  },
  {
    language: 'html',
    says: 'id="buy"',
    run: (code) => pressOwn(code),
  },
  {
    language: 'js',
    says: 'checkout.submit()',
    run: () => pressOwn(blockWith('docs/events.md', 'html', 'id="buy"')),
  },
  {
    language: 'js',
    says: "querySelector('#coupon')",
    async run(code) {
      const reader = await openWith(browser, `${element}<input id="coupon">`, { script: code });
      const { page, relay, made, form } = reader;
      await page.route(`**/orders/${made.id}/coupon`, async (route) => {
        expect(route.request().postData()).toBe('TEA10');
        const { status } = await relay.send(`/v1/sessions/${made.id}`, {
          method: 'PATCH',
          headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
          body: JSON.stringify({ order: { amount: '116.91' } }),
        });
        await route.fulfill({ status });
      });
      await form.locator('[autocomplete="cc-name"]').fill('Ada Byron');
      await page.locator('#coupon').fill('TEA10');
      await page.locator('#coupon').blur();
      await form.getByRole('button', { name: /116\.91/ }).waitFor();
      expect(await form.locator('[autocomplete="cc-name"]').inputValue()).toBe('Ada Byron');
    },
  },
]);

async function pressOwn(button: string): Promise<void> {
  const script = blockWith('docs/events.md', 'js', 'checkout.submit()');
  const reader = await openWith(browser, `${element}${button}`, { script });
  await reader.heard('ready');
  await reader.page.getByRole('button', { name: 'Place the order' }).click();
  await reader.form.getByText('Enter your card number').waitFor();
}
