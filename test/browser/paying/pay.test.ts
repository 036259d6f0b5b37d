import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { relayProfile } from '../../../sandbox/relay-config.ts';
import { testCards } from '../../../shared/card-data/test-cards.ts';
import { approveAtIssuer, checkoutOn, declineAtIssuer, leaveIssuer, payLaterAtIssuer } from '../../../testing/index.ts';
import { sharedChromium } from '../../support/browsers/chromium.ts';
import {
  alive,
  desktop,
  eventsOf,
  formIn,
  openPage,
  phone,
  startStack,
  typeCard,
  waitForEvent,
  waitForRoutes,
} from '../../support/relays/stack.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});

const approvedCard = '4111 1111-1111 1111';
const declinedCard = '4000000000000002';
const silentCard = '4000000000000341';
const ada = { expiry: '12/30', securityCode: '737', name: 'Ada King Byron' };

describe('a shopper', () => {
  it('pays by card on a desktop, and the shop shows it', async () => {
    const { gateway, relay, shopUrl } = await startStack();
    const { page, complaints, requests } = await openPage(browser, desktop);
    await page.goto(`${shopUrl}/?locale=pt-BR`);
    const form = formIn(page);
    // On a busy machine the fingerprint might not be complete within the time limit of a submit.
    const taken = () => form.locator('body').evaluate(() => performance.getEntriesByName('turnpike-device').length);
    await expect.poll(taken).toBe(1);
    await typeCard(form, approvedCard);
    expect(await form.locator('[autocomplete="cc-number"]').inputValue()).toBe('4111 1111 1111 1111');
    expect(await form.locator('button[type=submit]').textContent()).toMatch(/R\$\s129,90/);
    await form.locator('button[type=submit]').click();
    await waitForEvent(page, '"status":"approved"');
    const events = await eventsOf(page);
    expect(events[0]?.trim()).toBe('ready');
    expect(events.slice(-3)).toEqual([
      'change {"complete":true,"payment_method":"card","brand":"visa"}',
      expect.stringMatching(/^submit *$/),
      expect.stringMatching(/^result .*"status":"approved"/),
    ]);

    const [payment, ...more] = gateway.payments.list();
    expect(more).toEqual([]);
    expect(payment).toMatchObject({ state: { status: 'approved' }, order: { amount: '129.90', currency: 'BRL' } });
    await page.locator('#thanks').click();
    await page.getByText(payment?.order.order_no ?? 'no order').waitFor();
    expect(complaints).toEqual([]);

    const device = JSON.parse(
      gateway.messages.list().find(({ operation }) => operation === 'direct_payment')?.request ?? '{}',
    );
    expect(device).toMatchObject({
      first_name: 'Ada King',
      last_name: 'Byron',
      accept: expect.stringMatching(/^text\/html,/),
      browser_lang: 'en-GB',
      resolution: '1280x900',
      color_depth: expect.stringMatching(/^\d+$/),
      time_zone: expect.any(String),
      device_fingerprint: expect.stringMatching(/^\w{16,}$/),
      device_type: 'desktop',
      os: expect.stringMatching(/^Linux/),
      browser: expect.stringMatching(/^(Headless ?Chrome|Chrom)/),
      cookie_old: '',
      cookie_new: expect.stringMatching(/^dv_/),
    });
    expect(requests.filter((request) => request.includes('/checkout/api/pay'))).toHaveLength(1);
    expect(requests.join('\n')).not.toContain('4111111111111111');
    expect(relay.logLines.join('\n')).not.toContain('4111111111111111');
  });

  it('is declined on a phone, sees advice, and pays with another card', async () => {
    const { gateway, shopUrl } = await startStack();
    const { page, complaints } = await openPage(browser, phone);
    await page.goto(shopUrl);
    const form = formIn(page);
    const checkout = checkoutOn(page);
    await checkout.fill({ ...ada, card: declinedCard });
    expect(await checkout.pay()).toMatchObject({ advice: 'contact_bank', told: expect.stringMatching(/your bank/i) });
    await waitForEvent(page, '"status":"declined"');

    // Everything is kept except the security code.
    expect(await form.locator('[autocomplete="cc-number"]').inputValue()).toBe('4000 0000 0000 0002');
    expect(await form.locator('[autocomplete="cc-name"]').inputValue()).toBe('Ada King Byron');
    expect(await form.locator('[autocomplete="cc-csc"]').inputValue()).toBe('');

    await checkout.fill({ card: approvedCard, securityCode: '737' });
    expect(await checkout.pay()).toMatchObject({ status: 'approved' });
    expect(gateway.payments.list().map(({ state }) => state.status)).toEqual(['declined', 'approved']);

    // Nothing is wider than the phone, in the shop or in the frame.
    const widths = await Promise.all(
      [page.locator('html'), form.locator('html')].map((root) =>
        root.evaluate((html) => html.scrollWidth - html.clientWidth),
      ),
    );
    expect(widths).toEqual([0, 0]);
    expect(complaints).toEqual([]);
  });

  for (const [decide, status, heading] of [
    [approveAtIssuer, 'approved', 'Thank you'],
    [declineAtIssuer, 'declined', 'Not paid'],
  ] as const) {
    it(`goes to the issuer's page and returns to the outcome: ${status}`, async () => {
      const { gateway, relay, shopUrl } = await startStack();
      const { page } = await openPage(browser, phone);
      await page.goto(shopUrl);
      const checkout = checkoutOn(page);
      await checkout.choose('Pix');
      expect(await checkout.pay()).toEqual({ status: 'redirect' });
      await decide(page);
      await page.waitForURL(`${shopUrl}/thanks?**`);
      await page.getByRole('heading', { name: heading, exact: true }).waitFor();
      expect(gateway.payments.list()).toMatchObject([{ state: { status } }]);
      const id = new URL(page.url()).searchParams.get('session') ?? '';
      expect(await relay.truth(id)).toMatchObject({ status: status === 'approved' ? 'approved' : 'open' });
    });
  }

  it('gets a voucher at the issuer and pays it later', async () => {
    const { gateway, shopUrl } = await startStack({ profile: relayProfile });
    const { page } = await openPage(browser, phone);
    await page.goto(shopUrl);
    const checkout = checkoutOn(page);
    await checkout.choose('Pix');
    await checkout.pay();
    await payLaterAtIssuer(page);
    await page.getByRole('heading', { name: 'We are waiting for your payment' }).waitFor();
    const [voucher] = gateway.payments.list();
    if (voucher) gateway.payments.end(voucher);
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
  });

  it('pays by a card that the gateway decides later', async () => {
    const { gateway, relay } = await startStack({ profile: relayProfile });
    const { page } = await openPage(browser, phone);
    const { checkoutUrl } = await relay.session();
    await page.goto(checkoutUrl);
    const checkout = checkoutOn(page);
    await checkout.fill({ card: testCards.pending.number, ...ada });
    expect(await checkout.pay()).toEqual({ status: 'pending' });
    await page.getByRole('heading', { name: 'We are waiting for your payment' }).waitFor();
    const [payment] = gateway.payments.list();
    if (payment) gateway.payments.end(payment);
    expect(await checkout.outcome()).toMatchObject({ status: 'approved' });
  });

  it('who leaves the issuer with the back button pays by card', async () => {
    const { gateway, relay } = await startStack();
    const { page } = await openPage(browser, desktop);
    const pix = { type: 'apm', payment_method: 'PIX', label: 'Pix' };
    const { checkoutUrl } = await relay.session({ payment_methods: [{ type: 'card' }, pix] });
    const checkout = checkoutOn(page);
    await page.goto(checkoutUrl);
    await checkout.choose('Pix');
    await checkout.pay();
    await leaveIssuer(page);
    expect((await checkout.shown()).heading).toBe('Finish your payment with Pix');
    expect(await checkout.chooseAnotherWay()).toMatchObject({
      status: 'not_paid',
      told: expect.stringMatching(/do not pay with pix any more/i),
    });
    await checkout.fill({ ...ada, card: approvedCard });
    expect(await checkout.pay()).toMatchObject({ status: 'approved' });
    expect(await checkout.shown()).toMatchObject({ heading: 'Payment approved' });
    expect(gateway.payments.list().map(({ state }) => state.status)).toEqual(['undecided', 'approved']);
  });

  it('whose payment is unanswered sees it confirmed, then paid', async () => {
    const { gateway, shopUrl } = await startStack({ timeoutMs: 2000 });
    // No query proves the payment before the test has seen the form.
    gateway.armed.arm({ operation: 'query', fault: 'error_before', times: 1_000_000 });
    const { page } = await openPage(browser, desktop);
    await page.goto(shopUrl);
    const checkout = checkoutOn(page);
    await checkout.fill({ ...ada, card: silentCard });
    expect(await checkout.pay()).toEqual({ status: 'unknown' });
    expect(await checkout.shown()).toMatchObject({ heading: expect.stringMatching(/confirming your payment/i) });
    expect(await formIn(page).locator('button[type=submit]').count()).toBe(0);
    gateway.armed.clear();
    expect(await checkout.outcome()).toMatchObject({ status: 'approved' });
    await waitForEvent(page, '"status":"approved"');
    const results = (await eventsOf(page)).filter((line) => line.startsWith('result'));
    expect(results.map((line) => /"status":"(\w+)"/.exec(line)?.[1])).toEqual(['unknown', 'approved']);
    expect(gateway.payments.list()).toHaveLength(1);
  });

  it('who presses the button repeatedly pays once', async () => {
    const { gateway, shopUrl } = await startStack();
    const { page, requests } = await openPage(browser, desktop);
    await page.goto(shopUrl);
    const form = formIn(page);
    await typeCard(form, '4000000000000119');
    await form.locator('button[type=submit]').evaluate((button: HTMLElement) => {
      for (let presses = 0; presses < 8; presses++) button.click();
    });
    await page.keyboard.press('Enter');
    await waitForEvent(page, '"status":"approved"');
    expect(requests.filter((request) => request.includes('/checkout/api/pay'))).toHaveLength(1);
    expect(gateway.payments.list()).toHaveLength(1);
  });

  it('pays with the keyboard; a screen reader announces errors', async () => {
    const { gateway, shopUrl } = await startStack();
    const { page } = await openPage(browser, desktop);
    await page.goto(`${shopUrl}/?methods=card`);
    const form = formIn(page);
    const number = form.locator('[autocomplete="cc-number"]');
    await alive(form);
    await number.focus();
    await page.keyboard.type('4111 1111 1111 1112');
    await page.keyboard.press('Tab');
    await form.locator('[autocomplete="cc-number"][aria-invalid="true"]').waitFor();
    const described = (await number.getAttribute('aria-describedby')) ?? '';
    const errors = await Promise.all(described.split(' ').map((id) => form.locator(`[id="${id}"]`).textContent()));
    expect(errors.join('').trim()).not.toBe('');

    await page.keyboard.type('12/2030');
    await page.keyboard.press('Tab');
    await page.keyboard.type('737');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Ada');
    await page.keyboard.press('Enter');
    // The focus moves to the wrong number.
    expect(await number.evaluate((input) => input === document.activeElement)).toBe(true);
    expect(gateway.payments.list()).toEqual([]);
    await page.keyboard.press('End');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('1');
    expect(await number.getAttribute('aria-invalid')).not.toBe('true');
    await page.keyboard.press('Enter');
    await waitForEvent(page, '"status":"approved"');
    expect(gateway.payments.list()).toHaveLength(1);
  });

  it('who is declined continues by keyboard at the security code', async () => {
    const { gateway, shopUrl } = await startStack();
    const { page, context } = await openPage(browser, desktop);
    await page.goto(`${shopUrl}/?methods=card`);
    const form = formIn(page);
    const number = form.locator('[autocomplete="cc-number"]');
    const isFocused = (autocomplete: string) =>
      form.locator(`[autocomplete="${autocomplete}"]`).evaluate((input) => input === document.activeElement);
    await alive(form);
    await number.focus();
    for (const text of [declinedCard, '1230', '737', 'Ada Byron']) {
      if (text !== declinedCard) await page.keyboard.press('Tab');
      await page.keyboard.type(text);
    }
    await page.keyboard.press('Enter');
    await form.getByRole('status').getByText('declined').waitFor();
    expect(await isFocused('cc-csc')).toBe(true);

    await page.keyboard.type('737');
    for (let back = 0; back < 2; back++) await page.keyboard.press('Shift+Tab');
    expect(await isFocused('cc-number')).toBe(true);
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('4111111111111111');
    const sent = Promise.withResolvers<void>();
    await context.route('**/checkout/api/pay', async (route) => {
      await sent.promise;
      await route.continue();
    });
    await waitForRoutes(page, form);
    await page.keyboard.press('Enter');
    // During the payment the focus stays in place, and the progress is announced.
    await form.getByRole('status').getByText('Paying…').waitFor({ state: 'attached' });
    expect(await isFocused('cc-number')).toBe(true);
    sent.resolve();
    await waitForEvent(page, '"status":"approved"');
    const heading = form.getByRole('heading', { name: 'Payment approved' });
    expect(await heading.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(gateway.payments.list().map(({ state }) => state.status)).toEqual(['declined', 'approved']);
  });
});
