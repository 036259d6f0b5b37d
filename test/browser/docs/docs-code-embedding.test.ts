import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { beforeAll, expect } from 'vitest';
import { sharedChromium } from '../../support/browsers/chromium.ts';
import { runBlocks } from '../../support/docs/doc-blocks.ts';
import { element, openWith, payWith, startReader } from '../../support/docs/doc-reader.ts';
import { resolutions, shopWithPackage } from '../../support/docs/packed-client.ts';
import { apiKey } from '../../support/relays/relay.ts';
import { openPage, phone, startStack } from '../../support/relays/stack.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});

runBlocks('docs/embedding.md', [
  {
    language: 'ts',
    says: "from 'turnpike/browser'",
    async run(code) {
      const shop = await shopWithPackage();
      shop.write('page.ts', code);
      shop.write('wrong.ts', code.replaceAll('order_no', 'order_number'));
      const { output } = await shop.check(...resolutions.bundler, '--types', '', 'page.ts', 'wrong.ts');
      // The compiler complains only about the wrong one of the two.
      const mistakes = output.trim().split('\n');
      expect(mistakes.filter((line) => !line.startsWith('wrong.ts') && !line.startsWith(' '))).toEqual([]);
    },
  },
  {
    language: 'html',
    says: 'turnpike.js" async></script>\n<turnpike-checkout session="CLIENT_SECRET"><a',
    async run(code) {
      const reader = await openWith(browser, code);
      await reader.waitForEvent('ready');
      expect(await reader.page.getByText('Pay here').isVisible()).toBe(false);
      await payWith(reader.form);
      await reader.waitForEvent(`"status":"approved","order_no":"${reader.made.orderNo}"`);
      expect(reader.complaints).toEqual([]);
    },
  },
  {
    language: 'css',
    says: 'min-height',
    async run(code) {
      const reader = await openWith(browser, element, { head: `<style>${code}</style>` });
      await reader.page.locator('turnpike-checkout').waitFor();
      const height = () => reader.page.locator('turnpike-checkout').evaluate((checkout) => checkout.clientHeight);
      expect(await height()).toBeGreaterThanOrEqual(430);
      await reader.waitForEvent('ready');
      // The height in the page's example is the measured height, or nearly.
      expect(Math.abs((await height()) - 430)).toBeLessThan(40);
    },
  },
  {
    language: 'html',
    says: '<div id="pay">',
    async run(code) {
      const reader = await openWith(browser, code);
      await reader.form.locator('button[type=submit]').waitFor();
      expect(reader.complaints).toEqual([]);
    },
  },
  {
    language: 'js',
    says: 'checkout.unmount()',
    async run(code) {
      // Everything except the end, so that the loading state stays visible.
      const [before = ''] = code.split('checkout.update({');
      const said: string[] = [];
      const reader = await startReader(browser);
      const { own, loader, open, page, form } = reader;
      page.on('console', (message) => said.push(message.text()));
      const script = own(`${before}\nwindow.rest = () => { ${code.slice(before.length)} };`);
      await open('<div id="pay"></div>', { head: loader, script });
      await form.getByRole('button', { name: /Pagar/ }).waitFor();
      expect(await form.locator('html').getAttribute('class')).toMatch(/\bcompact\b/);
      await payWith(form);
      await expect.poll(() => said).toContain('approved');
      await page.evaluate('rest()');
      expect(await page.locator('turnpike-checkout').count()).toBe(0);
      expect(reader.complaints).toEqual([]);
    },
  },
  {
    language: 'js',
    says: 'Turnpike.doctor()',
    async run(code) {
      const { page, waitForEvent } = await openWith(browser, element);
      await waitForEvent('ready');
      expect(await page.evaluate(`(async () => ${code})()`)).toEqual([]);
    },
  },
  {
    language: 'html',
    says: '<iframe src="CHECKOUT_URL"',
    async run(code) {
      const { page, waitForEvent, complaints } = await openWith(browser, code);
      await waitForEvent('ready');
      const [place, first] = await page.evaluate(() => {
        const frame = document.querySelector('iframe');
        return [frame?.parentElement?.tagName, frame?.clientHeight];
      });
      expect(place).toBe('TURNPIKE-CHECKOUT');
      expect(first).toBeGreaterThan(300);
      expect(complaints).toEqual([]);
    },
  },
  {
    language: 'text',
    says: 'https://pay.example/checkout/SESSION_ID?',
    async run(code) {
      const reader = await startReader(browser);
      const { own, form, open } = reader;
      await open(`<iframe src="${own(code.trim()).replaceAll('&', '&amp;')}" width="400" height="600"></iframe>`);
      const html = reader.page.frameLocator('iframe').locator('html');
      await reader.page.frameLocator('iframe').getByRole('button', { name: /Pagar/ }).waitFor();
      expect(await html.getAttribute('data-theme')).toBe('dark');
      expect(await html.getAttribute('class')).toContain('compact');
      const accent = html.evaluate((root) => getComputedStyle(root).getPropertyValue('--turnpike-color-accent'));
      expect(await accent).toBe('#0a7');
      expect(form).toBeDefined();
    },
  },
]);

runBlocks('docs/appearance.md', [
  {
    language: 'html',
    says: 'theme="auto compact"',
    async run(code) {
      const reader = await openWith(browser, code);
      await reader.waitForEvent('ready');
      const html = reader.form.locator('html');
      await expect.poll(() => html.getAttribute('data-theme')).toBe('light');
      expect(await html.getAttribute('class')).toContain('compact');
    },
  },
  {
    language: 'js',
    says: "'--turnpike-color-accent': '#0f5c4d'",
    async run(code) {
      const reader = await openWith(browser, '<div id="pay"></div>', { script: code });
      const button = reader.form.locator('button[type=submit]');
      await button.waitFor();
      expect(await button.evaluate((it) => getComputedStyle(it).backgroundColor)).toBe('rgb(15, 92, 77)');
      expect(reader.complaints).toEqual([]);
    },
  },
  {
    language: 'js',
    says: 'fonts: [{ family',
    async run(code) {
      const reader = await openWith(browser, '<div id="pay"></div>', { script: code });
      await reader.form.locator('button[type=submit]').waitFor();
      const families = () =>
        reader.form.locator('html').evaluate(() => [...document.fonts].map(({ family }) => family.replaceAll('"', '')));
      await expect.poll(families).toEqual(['Inter', 'Inter fallback']);
    },
  },
  {
    language: 'json',
    says: '"logo": "./logo.svg"',
    async run(code) {
      const logo = join(mkdtempSync(join(tmpdir(), 'turnpike-logo-')), 'logo.svg');
      writeFileSync(logo, '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>');
      const { relay } = await startStack({ account: JSON.parse(code.replace('./logo.svg', logo)) });
      const { page, complaints } = await openPage(browser, phone);
      await page.goto((await relay.session()).checkoutUrl);
      const button = page.locator('button[type=submit]');
      expect(await button.evaluate((it) => getComputedStyle(it).backgroundColor)).toBe('rgb(15, 92, 77)');
      await page.getByRole('img', { name: 'Folha' }).waitFor();
      expect(complaints).toEqual([]);
    },
  },
]);

/** A page of the shop that contains this, once its form sends events. */
async function held(code: string, script = '') {
  const reader = await startReader(browser, { viewport: phone });
  await reader.open(reader.own(code), { head: reader.loader, script });
  await reader.waitForEvent('ready');
  return reader;
}

runBlocks('docs/locales.md', [
  {
    language: 'html',
    says: 'locale="pt-PT"',
    async run(code) {
      const { form } = await held(code);
      expect(await form.locator('html').getAttribute('lang')).toBe('pt-PT');
    },
  },
  {
    language: 'json',
    says: '"locale": "de-AT"',
    async run(code) {
      const { relay, page } = await startReader(browser, { viewport: phone });
      const { body } = await relay.post('/v1/sessions', apiKey, code);
      await page.goto(String(body.checkout_url));
      expect(await page.locator('html').getAttribute('lang')).toBe('de');
      expect(await page.locator('button[type=submit]').innerText()).toMatch(/€\s129,90/);
    },
  },
  {
    language: 'js',
    says: "setAttribute('locale'",
    async run(code) {
      const options = ['en', 'ja', 'ar'].map((tag) => `<option>${tag}</option>`).join('');
      const element = '<turnpike-checkout session="CLIENT_SECRET" locale="en"></turnpike-checkout>';
      const { page, form } = await held(`<select>${options}</select>${element}`, code);
      const name = form.locator('[autocomplete="cc-name"]');
      await name.fill('Ada Byron');
      for (const tag of ['ja', 'ar']) {
        await page.locator('select').selectOption(tag);
        await form.locator(`html[lang=${tag}]`).waitFor();
        expect(await name.inputValue()).toBe('Ada Byron');
      }
    },
  },
  {
    language: 'html',
    says: 'locale="ar"',
    async run(code) {
      const { form, page } = await held(code);
      expect(await form.locator('html').getAttribute('dir')).toBe('rtl');
      expect(await page.locator('html').getAttribute('dir')).toBeNull();
      const direction = (token: string) =>
        form.locator(`[autocomplete="${token}"]`).evaluate((field) => getComputedStyle(field).direction);
      expect([await direction('cc-number'), await direction('cc-exp'), await direction('cc-name')]).toEqual([
        'ltr',
        'ltr',
        'rtl',
      ]);
    },
  },
]);
