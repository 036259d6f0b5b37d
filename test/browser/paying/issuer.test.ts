import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedChromium } from '../../support/browsers/chromium.ts';
import { alive, formIn, openPage, phone, startStack, typeCard, waitForEvent } from '../../support/relays/stack.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});

const methods = { payment_methods: [{ type: 'card' }, { type: 'apm', payment_method: 'PIX', label: 'Pix' }] };

const heading = (page: Page, text: RegExp) => page.getByRole('heading', { name: text });

/** A shopper at the issuer's page who came from a hosted checkout. */
async function atTheIssuer() {
  const stack = await startStack();
  const session = await stack.relay.session(methods);
  const watched = await openPage(browser);
  await watched.page.goto(session.checkoutUrl);
  await watched.page.getByLabel('Pix').check();
  await alive(watched.page);
  await watched.page.locator('button[type=submit]').click();
  await watched.page.getByRole('button', { name: 'Approve' }).waitFor();
  return { ...stack, ...watched, session };
}

describe('a shopper at the issuer’s page', () => {
  it('sees the payment after going back, forward, and approving', async () => {
    const { gateway, relay, page, session } = await atTheIssuer();
    await page.goBack();
    await page.getByRole('heading', { name: 'Finish your payment with Pix' }).waitFor();
    await page.goForward();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.waitForURL(/\/return\//);
    await page.getByRole('heading', { name: /approved/i }).waitFor();
    expect(await relay.truth(session.id)).toMatchObject({ status: 'approved' });
    expect(gateway.payments.list()).toHaveLength(1);
  });

  it('cannot pay again in another tab after approving', async () => {
    const { gateway, relay, context, page, session } = await atTheIssuer();
    const other = await context.newPage();
    await other.goto(session.checkoutUrl);
    await other.getByRole('heading', { name: 'Finish your payment with Pix' }).waitFor();
    await alive(other);
    await other.reload();
    await other.getByRole('link', { name: 'Continue your Pix payment' }).waitFor();
    expect(await other.locator('button[type=submit]').count()).toBe(0);
    expect(await relay.truth(session.id)).toMatchObject({ status: 'redirected' });
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.waitForURL(/\/return\//);
    await other.getByRole('heading', { name: /approved/i }).waitFor();
    expect(gateway.payments.list()).toMatchObject([{ state: { status: 'approved' } }]);
  });

  it('pays by card after going back and reporting no payment', async () => {
    const { gateway, page } = await atTheIssuer();
    await page.goBack();
    await page.getByRole('button', { name: 'I did not pay, choose another way' }).click();
    await page.getByText(/Do not pay with Pix any more/).waitFor();
    await typeCard(page, '4111111111111111');
    await page.locator('button[type=submit]').click();
    await page.getByRole('heading', { name: /approved/i }).waitFor();
    expect(gateway.payments.list().map(({ state }) => state.status)).toEqual(['undecided', 'approved']);
  });

  it('sees a confirmation after going back and reporting a payment', async () => {
    const { relay, page, session } = await atTheIssuer();
    await page.goBack();
    await page.getByRole('button', { name: 'I have paid' }).click();
    await page.getByRole('heading', { name: /confirming your payment/i }).waitFor();
    await page.getByRole('button', { name: 'I did not pay, choose another way' }).waitFor();
    expect(await relay.truth(session.id)).toMatchObject({ status: 'redirected' });
    relay.pass(60_000);
    await page.getByText(/We have received no payment with Pix yet/).waitFor();
    expect(await page.getByLabel('Card', { exact: true }).isChecked()).toBe(true);
  });
});

describe('a payment that continues on another device', () => {
  it('turns the form with its code into approved', async () => {
    const { relay, shopUrl } = await startStack();
    const { page, complaints } = await openPage(browser);
    await page.goto(shopUrl);
    const form = formIn(page);
    await form.getByLabel('Pix').check();
    await alive(form);
    await form.locator('button[type=submit]').click();
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    await page.goBack();
    const link = form.getByRole('link', { name: 'Continue your Pix payment' });
    const address = String(await link.getAttribute('href'));
    const code = form.getByRole('img', { name: 'QR code' });
    // The image is painted: the frame's policy allows it.
    await expect.poll(() => code.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    expect(await code.getAttribute('src')).toBe(address.replace('/issuer?', '/issuer.svg?'));
    expect(complaints).toEqual([]);

    const other = await openPage(browser, phone);
    await other.page.goto(address);
    await other.page.getByRole('button', { name: 'Approve' }).click();
    await form.getByRole('heading', { name: /approved/i }).waitFor();
    await waitForEvent(page, '"status":"approved"');
    const [id = ''] = String(await page.locator('turnpike-checkout').getAttribute('session')).split('.');
    expect(await relay.truth(id)).toMatchObject({ status: 'approved', attempts: [{ method: 'PIX' }] });
  });

  it('shows only the link on a phone', async () => {
    const { relay } = await startStack();
    const { checkoutUrl } = await relay.session(methods);
    const { page, requests } = await openPage(browser, phone, { hasTouch: true, isMobile: true });
    await page.goto(checkoutUrl);
    await page.getByLabel('Pix').check();
    await alive(page);
    await page.locator('button[type=submit]').click();
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Continue your Pix payment' }).waitFor();
    expect(await page.getByRole('img', { name: 'QR code' }).count()).toBe(0);
    expect(requests.filter((line) => line.includes('.svg'))).toEqual([]);
  });
});

describe('a payment that is given up in another browser', () => {
  /** The shopper is at the issuer's page. In another browser the same checkout waits for a card instead. */
  async function atBoth() {
    const stack = await atTheIssuer();
    const { page: other } = await openPage(browser, phone);
    await other.goto(stack.session.checkoutUrl);
    await other.getByRole('button', { name: 'I did not pay, choose another way' }).click();
    await other.getByText(/Do not pay with Pix any more/).waitFor();
    return { ...stack, other };
  }

  it('turns the form there into approved', async () => {
    const { gateway, relay, session, page, other } = await atBoth();
    await page.getByRole('button', { name: 'Approve' }).click();
    await heading(page, /approved/i).waitFor();
    await heading(other, /approved/i).waitFor();
    expect(gateway.payments.list()).toHaveLength(1);
    expect(await relay.truth(session.id)).toMatchObject({ status: 'approved', attempts: [{ method: 'PIX' }] });
  });

  it('is shown in both as paid twice after a card', async () => {
    const { gateway, relay, session, page, other } = await atBoth();
    await typeCard(other, '4111111111111111');
    await other.locator('button[type=submit]').click();
    await heading(other, /approved/i).waitFor();
    await page.getByRole('button', { name: 'Approve' }).click();
    for (const one of [page, other]) await one.getByText('You paid twice. Your payment with Card counts.').waitFor();
    expect(gateway.payments.list().map(({ state }) => state.status)).toEqual(['approved', 'approved']);
    expect((await relay.truth(session.id)).paid_twice).toHaveLength(2);
  });
});
