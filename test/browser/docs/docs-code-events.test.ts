import type { Browser } from 'playwright-core';
import { beforeAll, expect } from 'vitest';
import { z } from 'zod';
import { sharedChromium } from '../../support/browsers/chromium.ts';
import { blockWith, runBlocks } from '../../support/docs/doc-blocks.ts';
import { element, openWith, payWith, runModule, startReader } from '../../support/docs/doc-reader.ts';
import { apiKey, startTestRelay, testConfig } from '../../support/relays/relay.ts';
import { backOnline } from '../../support/relays/stack.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});

runBlocks('docs/events.md', [
  {
    language: 'html',
    says: "addEventListener('result'",
    async run(code) {
      const reader = await openWith(browser, code);
      await payWith(reader.form, '4000000000000002');
      await expect.poll(() => reader.page.locator('output').textContent()).toBe('declined');
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
      await expect.poll(() => said).toContain('log declined');
      await page.evaluate('rest()');
      await form.locator('[autocomplete="cc-csc"]').fill('737');
      await context.setOffline(true);
      await form.locator('button[type=submit]').click();
      await expect.poll(() => said.join('\n')).toMatch(/warning offline You are offline/);
      await backOnline(context, form);
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
      // Loaded completely, so that no request is running when the browser profile closes.
      await reader.page.getByText('Thank you!').waitFor();
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
      await expect.poll(() => reader.page.locator('output').textContent()).toBe('Thank you!');
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
  await reader.waitForEvent('ready');
  await reader.page.getByRole('button', { name: 'Place the order' }).click();
  await reader.form.getByText('Enter your card number').waitFor();
}

/** A reader's page under the policy of a block, on which a payment completes. Returns what the browser refused. */
async function payUnder(code: string, page = element): Promise<string[]> {
  const reader = await startReader(browser);
  const { own, loader, open, form } = reader;
  const [, policy = ''] = /^Content-Security-Policy: (.+)$/m.exec(own(code)) ?? [];
  await open(own(page), { csp: policy, head: page.includes('turnpike.js') ? '' : loader });
  await payWith(form);
  await form.getByRole('heading', { name: 'Payment approved' }).waitFor();
  expect(reader.paid()).toHaveLength(1);
  // Not from the page but from the test: its list of events, and an icon.
  return reader.complaints.filter((complaint) => !/\/(listing|shop)\.js|'data:,'/.test(complaint));
}

runBlocks('docs/csp-and-sri.md', [
  {
    language: 'http',
    says: 'Policy: script-src https://pay.example',
    run: async (code) => expect(await payUnder(code)).toEqual([]),
  },
  {
    language: 'http',
    says: "default-src 'none'",
    run: async (code) => expect(await payUnder(code)).toEqual([]),
  },
  {
    language: 'http',
    says: "'strict-dynamic'",
    async run(code) {
      const complaints = await payUnder(code, blockWith('docs/csp-and-sri.md', 'html', 'nonce='));
      expect(complaints).toEqual([]);
    },
  },
  {
    language: 'html',
    says: 'nonce="rAnd0m"',
    // Under a policy that allows this nonce and no other script. The script above it makes the payment.
    async run(code) {
      const { open, own, form } = await startReader(browser);
      await open(own(code), { csp: own("script-src 'nonce-rAnd0m'; frame-src https://pay.example") });
      await form.locator('button[type=submit]').waitFor();
    },
  },
  {
    language: 'json',
    says: 'allowed_origins',
    async run(code) {
      const { allowed_origins } = z.strictObject({ allowed_origins: z.array(z.string()) }).parse(JSON.parse(code));
      const accounts = z.array(z.looseObject({})).parse(testConfig({ gatewayUrl: '', folder: '' }).accounts);
      const config = { accounts: accounts.map((account) => ({ ...account, allowed_origins })) };
      const relay = await startTestRelay({ gatewayUrl: 'http://127.0.0.1:9', config });
      const { id } = await relay.session();
      const answer = await relay.get(`/checkout/${id}`);
      expect(answer.headers.get('content-security-policy')).toContain(`frame-ancestors ${allowed_origins.join(' ')};`);
    },
  },
  {
    language: 'html',
    says: 'turnpike-<hash>.js',
    async run(code) {
      const reader = await startReader(browser);
      const { body } = await reader.relay.get('/embed.json');
      const tag = String(body.script);
      // The page shows the element of /embed.json, except for values that only a build knows.
      const shown = reader.own(code).trim().split('\n').at(-1);
      expect(tag.replace(/-\w+\.js/, '-<hash>.js').replace(/sha384-[^"]+/, 'sha384-…')).toBe(shown);
      const [preconnect = ''] = reader.own(code).split('\n');
      await reader.open(reader.own(element), { head: `${preconnect}${tag}` });
      await reader.waitForEvent('ready');
      expect(reader.complaints).toEqual([]);
    },
  },
  {
    language: 'js',
    says: 'console.log(script)',
    async run(code) {
      const reader = await startReader(browser);
      const [line = ''] = await runModule(reader.own(code));
      const shape = (text: string) => text.replace(/-\w+\.js/, '-….js').replace(/sha384-[^"]+/, 'sha384-…');
      expect(code).toContain(`// ${shape(line).replace(reader.relay.url, 'https://pay.example')}`);
    },
  },
  {
    language: 'js',
    says: 'const { scripts }',
    async run(code) {
      const reader = await startReader(browser);
      const lines = await runModule(reader.own(code));
      expect(lines.filter((line) => line.startsWith('page ')).map((line) => line.split(' ')[1])).toEqual([
        expect.stringMatching(/\/turnpike-\w+\.js$/),
        expect.stringMatching(/\/turnpike-doctor\.js$/),
      ]);
      expect(lines.filter((line) => line.startsWith('frame ')).length).toBeGreaterThan(3);
      for (const line of lines) expect(line).toMatch(/^(page|frame) (inline|https?:\S+) sha\d+-\S+ \w.+/);
    },
  },
]);
