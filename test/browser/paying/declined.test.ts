import type { Browser, FrameLocator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { testCards } from '../../../shared/card-data/test-cards.ts';
import { sharedChromium } from '../../support/browsers/chromium.ts';
import { startHost } from '../../support/browsers/host-page.ts';
import { alive, formIn, openPage, startStack, typeCard } from '../../support/relays/stack.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});

const small = { width: 390, height: 664 };
/** The visible height above a phone's keyboard. */
const KEYBOARD = { width: 390, height: 328 };

const pix = { type: 'apm', payment_method: 'PIX', label: 'Pix' };
/** A session whose form is longer than any phone and in which only the card is typed. */
const long = {
  payment_methods: [{ type: 'card' }, pix],
  collect: ['email', 'phone', 'document', 'birth_date', 'billing_address'],
  order: {
    amount: '129.90',
    shopper_email: 'ada@shop.example',
    shopper_phone: '+5511961234567',
    document: '52998224725',
    birth_date: '10-12-1990',
    billing_country: 'BR',
    billing_state: 'SP',
    billing_city: 'São Paulo',
    billing_address: 'Rua Um, 1',
    billing_postal_code: '01310-100',
  },
};

/** Pays with a card, with the keyboard open, and waits for the message about it. */
async function payDeclined(page: Page, form: FrameLocator | Page, number: string): Promise<void> {
  await alive(form);
  await typeCard(form, number);
  await page.setViewportSize(KEYBOARD);
  await form.locator('button[type=submit]').click();
  await message(form).waitFor();
}

const message = (form: FrameLocator | Page) => form.locator('#field-message');

/** Whether the whole message and the focused input are within the visible part of the page. */
async function seen(form: FrameLocator | Page) {
  const message_ = await message(form).boundingBox();
  const focused = await form.locator('input:focus').boundingBox();
  const isWithin = (box: typeof message_) => box !== null && box.y >= -1 && box.y + box.height <= KEYBOARD.height + 1;
  return { message: isWithin(message_), focused: isWithin(focused) };
}

describe.each([
  ['a card whose code was wrong', testCards.wrongCode, 'cc-csc'],
  ['a card that cannot pay', testCards.poor, 'cc-number'],
])('the message about %s', (_, card, focused) => {
  it('is visible beside the focused field on the checkout’s page', async () => {
    const { relay } = await startStack();
    const { page } = await openPage(browser, small, { hasTouch: true, isMobile: true });
    const { checkoutUrl } = await relay.session(long);
    await page.goto(checkoutUrl);
    await payDeclined(page, page, card.number);
    await expect.poll(() => seen(page)).toEqual({ message: true, focused: true });
    expect(await page.locator('input:focus').getAttribute('autocomplete')).toBe(focused);
  });

  it('is visible beside the focused field in a shop’s page', async () => {
    const { relay, loader, put } = await startHost();
    const { page } = await openPage(browser, small, { hasTouch: true, isMobile: true });
    const { secret } = await relay.session(long);
    const before = '<p style="height: 900px">The basket</p>';
    await page.goto(
      put({ head: loader, body: `${before}<turnpike-checkout session="${secret}"></turnpike-checkout>` }),
    );
    await payDeclined(page, formIn(page), card.number);
    await expect.poll(() => seen(formIn(page))).toEqual({ message: true, focused: true });
    expect(await formIn(page).locator('input:focus').getAttribute('autocomplete')).toBe(focused);
  });
});

it('a refused card is cleared, and only available methods are named', async () => {
  const { relay } = await startStack();
  const { page } = await openPage(browser, small);
  const { checkoutUrl } = await relay.session({ payment_methods: [{ type: 'card' }] });
  await page.goto(checkoutUrl);
  await payDeclined(page, page, testCards.poor.number);
  expect(await message(page).textContent()).toBe(
    'The payment was declined. Use another card. You can try 4 more times.',
  );
  const values = ['cc-number', 'cc-exp', 'cc-csc', 'cc-name'].map((token) =>
    page.locator(`[autocomplete="${token}"]`).inputValue(),
  );
  expect(await Promise.all(values)).toEqual(['', '', '', 'Ada King Byron']);
});
