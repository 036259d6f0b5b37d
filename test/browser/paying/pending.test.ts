import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { testCards } from '../../../shared/card-data/test-cards.ts';
import { sharedChromium } from '../../support/browsers/chromium.ts';
import { redirection } from '../../support/gateways/issuer.ts';
import { approval, scriptedGateway, sendRecords, sendXml, signedXml } from '../../support/gateways/scripted-gateway.ts';
import { serve } from '../../support/http/http-server.ts';
import { apiKey, startTestRelay } from '../../support/relays/relay.ts';
import {
  alive,
  eventsOf,
  formIn,
  openPage,
  phone,
  startStack,
  stopClock,
  typeCard,
  waitForEvent,
} from '../../support/relays/stack.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});

const methods = { payment_methods: [{ type: 'card' }, { type: 'apm', payment_method: 'PIX', label: 'Pix' }] };
const heading = (page: Page, text: RegExp) => page.getByRole('heading', { name: text });
const results = async (page: Page) => (await eventsOf(page)).filter((line) => line.startsWith('result'));

/** Goes to the issuer's page from a hosted checkout. */
async function atTheIssuer() {
  const stack = await startStack();
  const session = await stack.relay.session(methods);
  const watched = await openPage(browser, phone);
  await watched.page.goto(session.checkoutUrl, { waitUntil: 'networkidle' });
  await watched.page.getByLabel('Pix').check();
  await alive(watched.page);
  await watched.page.locator('button[type=submit]').click();
  await watched.page.getByRole('button', { name: 'Approve' }).waitFor();
  return { ...stack, ...watched, session };
}

describe('a tab that is closed at the issuer’s page', () => {
  it('after approving: the reopened checkout polls and shows the payment', async () => {
    const { gateway, context, page, session } = await atTheIssuer();
    // The issuer receives the approval, and the shopper never opens the return address.
    const issuerUrl = page.url();
    await page.close();
    await fetch(issuerUrl, {
      method: 'POST',
      body: new URLSearchParams({ choice: 'approve' }),
      redirect: 'manual',
    });
    expect(gateway.payments.list()[0]?.state.status).toBe('approved');
    const later = await context.newPage();
    await later.goto(session.checkoutUrl);
    await heading(later, /approved/i).waitFor();
    expect(gateway.payments.list()).toHaveLength(1);
  });

  it('before deciding: the reopened checkout continues the same payment', async () => {
    const { gateway, context, page, session, relay } = await atTheIssuer();
    await page.close();
    const later = await context.newPage();
    const html = await (await relay.send(new URL(session.checkoutUrl).pathname)).text;
    expect(html).toContain('Finish your payment with Pix');
    await later.goto(session.checkoutUrl);
    await later.getByRole('link', { name: 'Continue your Pix payment' }).click();
    await later.getByRole('button', { name: 'Approve' }).click();
    await heading(later, /approved/i).waitFor();
    expect(gateway.payments.list()).toMatchObject([{ state: { status: 'approved' } }]);
  });
});

describe('a payment whose outcome is still unknown', () => {
  it('is confirmed and reported once when the shop’s page reopens', async () => {
    const { gateway, shopUrl } = await startStack({ timeoutMs: 2000 });
    // The outcome stays unknown until the page is open again, however slow that is.
    gateway.armed.arm({ operation: 'query', fault: 'error_before', times: 1_000_000 });
    const { page, context } = await openPage(browser, phone);
    await page.goto(shopUrl);
    await typeCard(formIn(page), testCards.silent.number);
    await formIn(page).locator('button[type=submit]').click();
    await expect.poll(() => gateway.payments.list().length).toBe(1);
    await page.close();
    const later = await context.newPage();
    await later.goto(shopUrl);
    await formIn(later)
      .getByRole('heading', { name: /confirming/i })
      .waitFor();
    expect(await formIn(later).locator('button[type=submit]').count()).toBe(0);
    gateway.armed.clear();
    await waitForEvent(later, '"status":"approved"');
    const approved = (await results(later)).filter((line) => line.includes('approved'));
    expect(approved).toHaveLength(1);
    expect(gateway.payments.list()).toHaveLength(1);
  });

  it('is polled as soon as its frame becomes visible', async () => {
    const { gateway, relay, shopUrl } = await startStack({ timeoutMs: 2000 });
    const { page, context } = await openPage(browser, phone);
    await page.clock.install();
    await page.goto(shopUrl, { waitUntil: 'networkidle' });
    const secret = await page.locator('turnpike-checkout').getAttribute('session');
    const form = formIn(page);
    await typeCard(form, testCards.silent.number);
    // The form cannot read the outcome until the test lets it.
    await context.route('**/checkout/api/session', (route) => route.abort());
    await form.locator('button[type=submit]').click();
    await form.getByRole('heading', { name: /confirming/i }).waitFor();
    // From now on no delay in the form ever ends.
    await stopClock(page);
    const [id = ''] = String(secret).split('.');
    await expect.poll(async () => (await relay.truth(id)).status).toBe('approved');
    expect(await form.getByRole('heading', { name: /confirming/i }).count()).toBe(1);
    await context.unroute('**/checkout/api/session');
    for (const frame of page.frames()) {
      await frame.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    }
    await form.getByRole('heading', { name: /approved/i }).waitFor();
    expect(gateway.payments.list()).toHaveLength(1);
  });
});

describe('a payment that is pending in the gateway’s records', () => {
  /**
   * A relay whose gateway redirects Pix payments to an issuer, reports them with `books.status`, and approves cards.
   */
  async function setUpPending() {
    const issuer = await serve((_req, res) => void res.end('<h1>Bank</h1>'));
    onTestFinished(issuer.close);
    const books = { status: '2000' };
    const gateway = await scriptedGateway((received, res) => {
      const { payment_method, ...message } = received.message;
      if (received.path === '/v1/authorise') {
        return sendXml(res, signedXml(payment_method ? redirection(received, issuer.url) : approval(received)));
      }
      const sent = gateway.authorised().find((one) => one.message.payment_method)?.message ?? message;
      const { amount, currency, order_no } = sent;
      sendRecords(res, [{ amount, currency, order_no, transaction_id: 'T1', payment_status: books.status }]);
    });
    const codes = { payment_status: { approved: ['3000'], declined: ['4100'], pending: ['2000'] } };
    const relay = await startTestRelay({ gatewayUrl: gateway.url, profile: { codes } });
    const session = await relay.session(methods);
    const watched = await openPage(browser, phone);
    const { page } = watched;
    await page.goto(session.checkoutUrl, { waitUntil: 'networkidle' });
    await page.getByLabel('Pix').check();
    await alive(page);
    await page.locator('button[type=submit]').click();
    await heading(page, /^Bank$/).waitFor();
    await page.goto(`${relay.url}/return/${session.id}`);
    await heading(page, /^We are waiting for your payment$/).waitFor();
    await page.goto(session.checkoutUrl);
    await heading(page, /^We are waiting for your payment with Pix$/).waitFor();
    return { ...watched, relay, gateway, books, session };
  }

  it('offers the issuer’s page again, first', async () => {
    const { page, relay, session, complaints } = await setUpPending();
    await alive(page);
    await page.getByRole('link', { name: 'Open Pix again' }).click();
    await heading(page, /^Bank$/).waitFor();
    expect(await relay.truth(session.id)).toMatchObject({ status: 'pending' });
    expect(complaints).toEqual([]);
  });

  it('is given up for a card, which pays the order', async () => {
    const { page, relay, gateway, session, complaints } = await setUpPending();
    await alive(page);
    await page.getByRole('button', { name: 'Choose another way' }).click();
    await page.getByText(/Do not pay with Pix any more/).waitFor();
    expect(await page.getByLabel('Card', { exact: true }).isChecked()).toBe(true);
    await typeCard(page, testCards.approved.number);
    await page.locator('button[type=submit]').click();
    await heading(page, /approved/i).waitFor();
    expect(await relay.truth(session.id)).toMatchObject({
      status: 'approved',
      attempts: [{ method: 'PIX', status: 'not_paid', reason: 'abandoned' }, { status: 'approved' }],
    });
    expect(gateway.authorised()).toHaveLength(2);
    expect(complaints).toEqual([]);
  });

  it('is waited for and shown once it is paid', async () => {
    const { page, books, relay, gateway, session } = await setUpPending();
    books.status = '3000';
    await relay.post(`/v1/orders/${session.orderNo}/reconcile`, apiKey, {});
    await heading(page, /approved/i).waitFor();
    expect(await relay.truth(session.id)).toMatchObject({ status: 'approved', transaction_id: 'T1' });
    expect(gateway.authorised()).toHaveLength(1);
  });
});
