import { describe, expect, it } from 'vitest';
import { firefoxWith, frameIn, heard, openFirefoxPage, told, typeCard } from '../support/browsers/firefox.ts';
import { startFrontedStack } from '../support/http/front.ts';
import { phone } from '../support/relays/stack.ts';

const browser = firefoxWith({});

const approvedCard = '4111111111111111';
const lateCard = '4000000000000119';
const silentCard = '4000000000000341';

/** The hosted page of a new session, on a phone. */
async function onTheHostedPage(options: { timeoutMs?: number; lateMs?: number } = {}) {
  const stack = await startFrontedStack(options);
  const { checkoutUrl } = await stack.relay.session();
  const watched = await openFirefoxPage(browser(), phone);
  const { page } = watched;
  await page.goto(checkoutUrl);
  const buttons = async () => (await page.$$('button[type=submit]')).length;
  const keys = () =>
    stack.front.seen
      .filter(({ address }) => address === '/checkout/api/pay')
      .map(({ headers }) => headers['idempotency-key']);
  return { ...stack, ...watched, buttons, keys, payments: () => stack.gateway.payments.list().length };
}

/** Waits until the gateway has charged something. */
const charged = (payments: () => number) => expect.poll(payments, { timeout: 20_000 }).toBe(1);

describe('the truth in Firefox', () => {
  it('after a reload in the middle of a payment', async () => {
    const { page, payments, buttons } = await onTheHostedPage({ timeoutMs: 2000 });
    await typeCard(page, silentCard);
    await page.keyboard.press('Enter');
    await charged(payments);
    await page.reload();
    await told(page, /confirming your payment/i);
    expect(await buttons()).toBe(0);
    await told(page, /Payment approved/);
    expect(payments()).toBe(1);
  });

  it('after the back button and a reload: what is paid shows no form again', async () => {
    const { page, payments, buttons } = await onTheHostedPage();
    await typeCard(page, approvedCard);
    await page.keyboard.press('Enter');
    await told(page, /Payment approved/);
    await page.goto('about:blank');
    await page.goBack();
    await told(page, /Payment approved/);
    expect(await buttons()).toBe(0);
    await page.reload();
    await told(page, /Payment approved/);
    expect(await buttons()).toBe(0);
    expect(payments()).toBe(1);
  });

  it('after the back button in the middle of a payment, and forward again', async () => {
    const { page, payments } = await onTheHostedPage({ lateMs: 1500 });
    await typeCard(page, lateCard);
    await page.keyboard.press('Enter');
    await charged(payments);
    await page.goto('about:blank');
    await page.goBack();
    await told(page, /Payment approved/);
    expect(payments()).toBe(1);
  });
});

it('a shop’s page shows no form for a paid order', async () => {
  const { gateway, shopUrl } = await startFrontedStack();
  const { page } = await openFirefoxPage(browser());
  await page.goto(`${shopUrl.replace('127.0.0.1', 'localhost')}/?methods=card`);
  await typeCard(await frameIn(page), approvedCard);
  await page.keyboard.press('Enter');
  await heard(page, 'approved');
  const [{ order } = {}] = gateway.payments.list();
  await page.reload();
  await told(page, new RegExp(`Your order ${order?.order_no} is paid`));
});
