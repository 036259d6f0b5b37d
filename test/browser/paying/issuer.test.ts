import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedChromium } from '../../support/browsers/chromium.ts';
import { alive, openPage, startStack, typeCard } from '../../support/relays/stack.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});

const methods = { payment_methods: [{ type: 'card' }, { type: 'apm', payment_method: 'PIX', label: 'Pix' }] };

/** A shopper at the issuer's page, coming from a hosted checkout. */
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
  it('who goes back, then forward, and approves learns of the payment', async () => {
    const { gateway, relay, page, session } = await atTheIssuer();
    await page.goBack();
    await page
      .getByText(/not paid yet/i)
      .first()
      .waitFor();
    await page.goForward();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.waitForURL(/\/return\//);
    await page.getByRole('heading', { name: /approved/i }).waitFor();
    expect(await relay.truth(session.id)).toMatchObject({ status: 'approved' });
    expect(gateway.payments.list()).toHaveLength(1);
  });

  it('who approves there cannot pay again in another tab', async () => {
    const { gateway, context, page, session } = await atTheIssuer();
    const other = await context.newPage();
    await other.goto(session.checkoutUrl);
    await other.getByLabel('Card', { exact: true }).check();
    await typeCard(other, '4111111111111111');
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.waitForURL(/\/return\//);
    await other
      .locator('button[type=submit]')
      .click({ timeout: 2000 })
      .catch(() => undefined);
    await other.getByRole('heading', { name: /approved/i }).waitFor();
    expect(gateway.payments.list()).toMatchObject([{ state: { status: 'approved' } }]);
  });
});
