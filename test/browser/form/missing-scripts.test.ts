import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedChromium } from '../../support/browsers/chromium.ts';
import { startHost } from '../../support/browsers/host-page.ts';
import { formIn, openPage, startStack, typeCard, waitForEvent } from '../../support/relays/stack.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});

const approved = '4111111111111111';

/** Fails the first `times` requests for a script. Returns the paths of all requests. */
async function lose(page: Page, name: string, times: number): Promise<string[]> {
  const paths: string[] = [];
  await page.route(new RegExp(`/form/([0-9]+/)?${name}-`), async (route) => {
    paths.push(new URL(route.request().url()).pathname.replace(/-.*/, ''));
    if (paths.length > times) await route.continue();
    else await route.abort();
  });
  return paths;
}

describe('a script of the form that fails to load', () => {
  it.each([
    ['the script itself', 'flow'],
    ['an imported script', 'wording'],
    ['a script that typing loads', 'views'],
  ])('is loaded from another address: %s', async (_, name) => {
    const { relay } = await startStack();
    const { page } = await openPage(browser);
    await page.route(new RegExp(`/form/${name}-`), (route) => route.abort());
    const again = page.waitForRequest(new RegExp(`/form/1/${name}-`));
    const { checkoutUrl } = await relay.session();
    await page.goto(checkoutUrl);
    await typeCard(page, approved);
    await page.locator('button[type=submit]').click();
    await page.getByRole('heading', { name: 'Payment approved' }).waitFor();
    await again;
  });

  it('is requested first when the shopper touches the form: views', async () => {
    const { relay } = await startStack();
    const { page } = await openPage(browser);
    const paths: string[] = [];
    page.on('request', (request) => void paths.push(new URL(request.url()).pathname));
    const { checkoutUrl } = await relay.session();
    await page.goto(checkoutUrl);
    await page.locator('[data-looked]').waitFor({ state: 'attached' });
    expect(paths.filter((path) => path.startsWith('/form/views-'))).toEqual([]);
    const views = page.waitForRequest(/\/form\/views-/);
    await page.locator('#field-card').focus();
    await views;
  });

  it.each(['flow', 'views'])('is requested again on the press: %s', async (name) => {
    const { relay, gateway, loader, put } = await startHost();
    const { page } = await openPage(browser);
    const paths = await lose(page, name, 4);
    const { secret } = await relay.session();
    await page.goto(put({ head: loader, body: `<turnpike-checkout session="${secret}"></turnpike-checkout>` }));
    const form = formIn(page);
    await typeCard(form, approved);
    await form.locator('button[type=submit]').click();
    await form.getByText('Reload the page to pay.').waitFor();
    await waitForEvent(page, 'error {"code":"incomplete","message":"Reload the page to pay."}');
    expect(gateway.payments.list()).toEqual([]);
    await form.locator('button[type=submit]').click();
    await waitForEvent(page, '"status":"approved"');
    expect(paths.length).toBeGreaterThan(4);
  });
});
