import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formIn, launchChromium, openPage, phone, startStack, typeCard } from '../support/stack.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

describe('the embedded form', () => {
  it('works across sites: the shop on localhost, the relay on 127.0.0.1', async () => {
    const { gateway, shopUrl } = await startStack();
    const { page, complaints } = await openPage(browser, phone);
    await page.goto(shopUrl.replace('127.0.0.1', 'localhost'));
    const form = formIn(page);
    await typeCard(form, '4111111111111111');
    await form.locator('button[type=submit]').click();
    await page.locator('#events', { hasText: '"status":"approved"' }).waitFor();
    expect(gateway.payments.list()).toHaveLength(1);
    expect(complaints).toEqual([]);
  });

  it('knows the device again at the next visit', async () => {
    const { gateway, shopUrl } = await startStack();
    const { page } = await openPage(browser);
    for (let visit = 0; visit < 2; visit++) {
      await page.goto(shopUrl);
      const form = formIn(page);
      await typeCard(form, '4111111111111111');
      await form.locator('button[type=submit]').click();
      await page.locator('#events', { hasText: '"status":"approved"' }).waitFor();
    }
    const sent = gateway.messages.list().filter(({ operation }) => operation === 'direct_payment');
    const cookies = sent
      .map(({ request }) => JSON.parse(request))
      .map(({ cookie_old, cookie_new }) => [cookie_old, cookie_new]);
    const [id] = cookies.flat().filter(Boolean);
    expect(cookies.sort()).toEqual([
      ['', id],
      [id, id],
    ]);
  });

  it('may be held by the shop’s page alone', async () => {
    const { relay, shopUrl } = await startStack();
    const { id } = await relay.session();
    const { page } = await openPage(browser);
    await page.goto(`${shopUrl}/thanks`);
    await page.setContent(`<iframe src="${relay.url}/checkout/${id}"></iframe>`);
    await page.goto('about:blank');
    await page.setContent(`<iframe src="${relay.url}/checkout/${id}"></iframe>`);
    await page.waitForTimeout(500);
    const frame = page.frames().find((candidate) => candidate !== page.mainFrame());
    expect(await frame?.locator('[autocomplete="cc-number"]').count()).toBe(0);
  });

  it('takes no card number out of the page before its script is alive', async () => {
    const { shopUrl } = await startStack();
    const { page, context, requests } = await openPage(browser);
    await context.route('**/form/**', (route) => route.abort());
    await page.goto(shopUrl);
    const number = page.frameLocator('turnpike-checkout iframe').locator('[autocomplete="cc-number"]');
    await number.waitFor({ state: 'attached' });
    const before = requests.length;
    await number.evaluate((input: HTMLInputElement) => {
      input.value = '4111111111111111';
      input.form?.requestSubmit();
    });
    await page.waitForTimeout(300);
    expect(requests.join('\n')).not.toContain('4111111111111111');
    expect(requests.slice(before).filter((request) => !request.includes('/form/'))).toEqual([]);
  });

  it('leaves a link to pay in the page when its script cannot load', async () => {
    const { gateway, shopUrl } = await startStack();
    const { page, context } = await openPage(browser);
    await context.route('**/turnpike.js', (route) => route.abort());
    await page.goto(shopUrl);
    await page.locator('turnpike-checkout a').click();
    await page.locator('[autocomplete="cc-number"]').fill('4111111111111111');
    await page.locator('[autocomplete="cc-exp"]').fill('12/30');
    await page.locator('[autocomplete="cc-csc"]').fill('737');
    await page.locator('[autocomplete="cc-name"]').fill('Ada Byron');
    await page.locator('button[type=submit]').click();
    await page
      .getByText(/approved/i)
      .first()
      .waitFor();
    await page.getByRole('link', { name: /Folha/ }).click();
    await page.waitForURL(`${shopUrl}/thanks?**`);
    expect(gateway.payments.list()).toHaveLength(1);
  });

  it('keeps what was typed before its script came alive', async () => {
    const { relay } = await startStack();
    const { page, context } = await openPage(browser);
    let release = (): void => undefined;
    const held = new Promise<void>((done) => {
      release = done;
    });
    await context.route('**/form/form-*.js', async (route) => {
      await held;
      await route.continue();
    });
    const { checkoutUrl } = await relay.session();
    await page.goto(checkoutUrl, { waitUntil: 'commit' });
    const number = page.locator('[autocomplete="cc-number"]');
    const name = page.locator('[autocomplete="cc-name"]');
    await number.fill('4111111111111111');
    await name.fill('Ada Byron');
    release();
    // The script is alive when it groups what was typed.
    await expect.poll(() => number.inputValue()).toBe('4111 1111 1111 1111');
    expect(await name.inputValue()).toBe('Ada Byron');
  });

  it('does not lose a payment whose answer is lost, and does not send it twice', async () => {
    const { gateway, shopUrl } = await startStack();
    const { page, context, requests } = await openPage(browser);
    await context.route('**/checkout/api/pay', async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    });
    await page.goto(shopUrl);
    const form = formIn(page);
    await typeCard(form, '4111111111111111');
    await form.locator('button[type=submit]').click();
    await page.locator('#events', { hasText: '"status":"approved"' }).waitFor();
    expect(requests.filter((request) => request.includes('/checkout/api/pay'))).toHaveLength(1);
    expect(gateway.payments.list()).toHaveLength(1);
  });
});
