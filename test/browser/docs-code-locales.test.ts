import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { runBlocks } from '../support/doc-blocks.ts';
import { startReader } from '../support/doc-reader.ts';
import { checkShell } from '../support/doc-shell.ts';
import { apiKey } from '../support/relay.ts';
import { launchChromium, phone } from '../support/stack.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

/** A page of the shop's with this in it, once the form in it speaks. */
async function held(code: string, script = '') {
  const reader = await startReader(browser, { viewport: phone });
  await reader.open(reader.own(code), { head: reader.loader, script });
  await reader.heard('ready');
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
  { language: 'sh', says: 'npx tsc', run: checkShell },
]);
