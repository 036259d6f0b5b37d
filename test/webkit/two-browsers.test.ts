import { describe, expect, it } from 'vitest';
import { hasWebKit } from '../support/browsers/find-webkit.ts';
import { firefoxWith, openFirefoxPage, press, waitForText } from '../support/browsers/firefox.ts';
import { webKitWith } from '../support/browsers/webkit.ts';
import { startStack } from '../support/relays/stack.ts';

const methods = { payment_methods: [{ type: 'card' }, { type: 'apm', payment_method: 'PIX', label: 'Pix' }] };

describe.runIf(hasWebKit)('a checkout in Firefox and in WebKit', () => {
  const firefox = firefoxWith({});
  const open = webKitWith();

  /** The shopper began to pay by Pix in Firefox and went back; the same checkout is open in WebKit. */
  async function atBoth() {
    const { relay, gateway } = await startStack();
    const { id, checkoutUrl } = await relay.session(methods);
    const { page } = await openFirefoxPage(firefox());
    await page.goto(checkoutUrl);
    await press(page, 'Pix');
    await press(page, 'Continue to Pix');
    await waitForText(page, /Sandbank/);
    const issuerPage = page.url();
    await page.goBack();
    await waitForText(page, /Finish your payment with Pix/);
    const webkit = open();
    await webkit.goto(checkoutUrl);
    await webkit.page.waitForText(/Finish your payment with Pix/);
    return { relay, gateway, id, issuerPage, page, webkit };
  }

  it('continues in one and shows the approval in both', async () => {
    const { relay, gateway, id, page, webkit } = await atBoth();
    await webkit.page.clickOn('a', 'Continue your Pix payment');
    await webkit.page.waitForText(/Sandbank/);
    await webkit.page.clickOn('button, a', 'Approve');
    await webkit.page.waitForText(/Payment approved/);
    await waitForText(page, /Payment approved/);
    expect(gateway.payments.list()).toHaveLength(1);
    expect(await relay.truth(id)).toMatchObject({ status: 'approved', attempts: [{ method: 'PIX' }] });
  });

  it('keeps asking in the form and turns into the approval by itself', async () => {
    const { relay, gateway, id, issuerPage, page, webkit } = await atBoth();
    await webkit.page.clickOn('button', 'I did not pay, choose another way');
    await webkit.page.waitForText(/Do not pay with Pix any more/);
    await page.goto(issuerPage);
    await press(page, 'Approve');
    await waitForText(page, /Payment approved/);
    await webkit.page.waitForText(/Payment approved/);
    expect(gateway.payments.list()).toHaveLength(1);
    expect(await relay.truth(id)).toMatchObject({ status: 'approved', attempts: [{ method: 'PIX' }] });
  });

  it('shows in both which payment counts after two were made', async () => {
    const { relay, gateway, id, issuerPage, page, webkit } = await atBoth();
    await webkit.page.clickOn('button', 'I did not pay, choose another way');
    await webkit.page.waitForText(/Do not pay with Pix any more/);
    await webkit.page.typeCard('4111111111111111');
    await webkit.page.clickOn('button[type=submit]');
    await webkit.page.waitForText(/Payment approved/);
    await waitForText(page, /Payment approved/);

    const { page: issuer } = await openFirefoxPage(firefox());
    await issuer.goto(issuerPage);
    await press(issuer, 'Approve');
    await webkit.page.waitForText(/paid twice/);
    // A hidden page asks rarely, and at once when it is seen again.
    await page.bringToFront();
    await waitForText(page, /paid twice/);
    expect(gateway.payments.list().map(({ state }) => state.status)).toEqual(['approved', 'approved']);
    expect((await relay.truth(id)).paid_twice).toHaveLength(2);
  });
});
