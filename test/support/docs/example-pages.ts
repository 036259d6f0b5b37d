import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildExample, type Example, type ExampleName } from '../../../examples/build.ts';
import { createExample } from '../../../examples/server.ts';
import { checkoutOn, testCards } from '../../../testing/index.ts';
import { sharedChromium } from '../browsers/chromium.ts';
import { formIn, openPage, startStack } from '../relays/stack.ts';

export const card = { card: testCards.approved.number, expiry: '12/30', securityCode: '737', name: 'Ada King Byron' };

/**
 * Builds examples below a folder. Under a test's NODE_ENV the frameworks are built for development: they report every
 * detectable error, and each difference when they hydrate a page.
 */
export async function buildExamples(names: readonly ExampleName[], folder: string): Promise<Map<string, Example>> {
  const built = new Map<string, Example>();
  for (const name of names) built.set(name, await buildExample(name, join(folder, name)));
  return built;
}

/** The tests of every example that Vite builds; `built` is called when the tests run. */
export function testExamples(names: readonly ExampleName[], built: () => ReadonlyMap<string, Example>): void {
  describe.each(names)('the %s example', (name) => {
    /** The example's own server, on another site than the relay. */
    async function start() {
      const example = built().get(name);
      if (!example) throw new Error(`${name} is not built`);
      const stack = await startStack({ createShop: (shop) => createExample({ example, ...shop }) });
      return { ...stack, url: stack.shopUrl.replace('127.0.0.1', 'localhost') };
    }

    it('hydrates, keeps typed values during all changes, and pays', async () => {
      const { gateway, relay, url } = await start();
      const html = await (await fetch(url)).text();
      const [, session = '', content = ''] =
        /<turnpike-checkout session="([\w.-]+)" locale="en" theme="light">(.*?)<\/turnpike-checkout>/s.exec(html) ?? [];
      const [, href] = /<a href="([^"]+)">Pay here<\/a>/.exec(content) ?? [];
      expect(href).toBe(`${relay.url}/checkout/${session.split('.')[0]}#${session}`);
      expect(html).toMatch(
        /<script src="[^"]+\/turnpike-\w+\.js" integrity="sha384-[^"]+" crossorigin="anonymous" async>/,
      );

      const { page, complaints } = await openPage(await sharedChromium());
      await page.addInitScript(() => {
        new MutationObserver((_, observer) => {
          const rendered = document.querySelector('turnpike-checkout');
          if (!rendered) return;
          Object.assign(window, { rendered });
          observer.disconnect();
        }).observe(document, { childList: true, subtree: true });
      });
      const checkout = checkoutOn(page);
      await page.goto(url);
      await checkout.fill(card);
      await formIn(page)
        .getByRole('button', { name: /65\.00/ })
        .waitFor();
      const isAsRendered = () =>
        page.evaluate(() => 'rendered' in window && window.rendered === document.querySelector('turnpike-checkout'));
      expect(await isAsRendered()).toBe(true);
      await page.getByLabel('Language').selectOption('pt-BR');
      await page.getByLabel('Theme').selectOption('dark');
      await page.getByRole('button', { name: 'One more tin' }).click();
      const form = formIn(page);
      await form.getByRole('button', { name: /130,00/ }).waitFor();
      await form.locator('html[data-theme=dark]').waitFor();
      expect(await form.locator('[autocomplete="cc-number"]').inputValue()).toBe('4111 1111 1111 1111');
      expect(await form.locator('[autocomplete="cc-csc"]').inputValue()).toBe('737');
      expect(await form.locator('html').evaluate((html) => html.style.getPropertyValue('--turnpike-radius'))).toBe(
        '10px',
      );
      expect(await checkout.pay()).toMatchObject({ status: 'approved' });
      await page.locator('output', { hasText: /^EX-\w+: approved$/ }).waitFor();
      expect(gateway.payments.list()).toMatchObject([{ order: { amount: '130.00' } }]);
      expect(await isAsRendered()).toBe(true);
      expect(complaints).toEqual([]);
    });
  });
}
