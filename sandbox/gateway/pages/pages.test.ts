import type { Browser, BrowserContextOptions } from 'playwright-core';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { testCards } from '../../../shared/card-data/test-cards.ts';
import { sharedChromium } from '../../../test/support/browsers/chromium.ts';
import { grouped } from '../faults/test-cards.ts';
import { cardPayment, pixPayment, startGateway } from '../testing.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});

const phone = { width: 390, height: 844 };

/** A real page of a real gateway, with whatever its console complained of. */
async function open(options: BrowserContextOptions = {}) {
  const gateway = await startGateway();
  const context = await browser.newContext(options);
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(5000);
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  return { gateway, page, complaints };
}

test('new messages appear under the filter, and open and focused ones stay', async () => {
  const { gateway, page, complaints } = await open();
  await gateway.authorise(cardPayment({ order_no: 'TEA-1' }));
  await page.clock.install();
  await page.goto(`${gateway.url}/?order_no=TEA`);
  const first = page.locator('summary', { hasText: 'TEA-1' });
  await first.focus();
  await page.keyboard.press('Enter');
  await gateway.authorise(cardPayment({ order_no: 'TEA-2' }));
  await gateway.authorise(cardPayment({ order_no: 'COFFEE-1' }));
  await page.clock.runFor(2000);
  await page.locator('summary', { hasText: 'TEA-2' }).waitFor();
  expect(await page.locator('.order').allTextContents()).toEqual(['TEA-2', 'TEA-1']);
  expect(await page.locator('details[open] .order').allTextContents()).toEqual(['TEA-1']);
  expect(await first.evaluate((summary) => summary === document.activeElement)).toBe(true);
  expect(complaints).toEqual([]);
});

test('the whole of the admin page works without JavaScript', async () => {
  const { gateway, page } = await open({ javaScriptEnabled: false });
  await gateway.authorise(pixPayment({ order_no: 'PIX-1' }));
  await page.goto(gateway.url);
  await page.getByRole('link', { name: 'Admin' }).click();
  await page.getByRole('combobox', { name: 'Operation', exact: true }).selectOption('payout');
  await page.getByRole('combobox', { name: 'Fault', exact: true }).selectOption('wrong_amount');
  await page.getByRole('button', { name: 'Arm it' }).click();
  expect(gateway.armed.list()).toEqual([{ operation: 'payout', fault: 'wrong_amount', times: 1 }]);
  await page.getByRole('combobox', { name: 'Shape', exact: true }).selectOption('rotate');
  await page.getByRole('button', { name: 'Send them so' }).click();
  expect(gateway.notifier.shape).toBe('rotate');
  await page
    .getByRole('textbox', { name: 'Addresses and ranges, one a line', exact: true })
    .fill('192.0.2.0/24\n2001:db8::1');
  await page.getByRole('button', { name: 'Register these' }).click();
  expect(gateway.registeredAddresses.list()).toEqual(['192.0.2.0/24', '2001:db8::1']);
  await page.getByRole('button', { name: 'Approve: PIX-1' }).click();
  expect(gateway.payments.list()).toMatchObject([{ state: { status: 'approved' } }]);
  const before = gateway.clock.now().getTime();
  await page.getByRole('button', { name: '+1 day' }).click();
  expect(gateway.clock.now().getTime() - before).toBeGreaterThanOrEqual(24 * 3_600_000);
  expect(await page.getByRole('status').textContent()).toBe('The clock was moved.');
});

test('a person takes a payment through its life on the admin page', async () => {
  const { gateway, page, complaints } = await open();
  const [issuer] = (
    await (await gateway.authorise(pixPayment({ order_no: 'PIX-1', return_url: undefined }))).text()
  ).match(/http:[^<]+issuer[^<]+/) ?? [''];
  await page.goto(issuer);
  await page.getByRole('button', { name: 'Pay later' }).click();
  await page.getByRole('heading', { name: 'You pay this later' }).waitFor();
  await page.getByRole('link', { name: 'admin page' }).click();
  const state = page.getByRole('region', { name: 'Payments' }).locator('td[data-head="State"]').first();
  const press = async (button: string, text: string) => {
    await page.getByRole('button', { name: `${button}: PIX-1` }).click();
    await page.getByRole('status').waitFor();
    expect(await state.textContent()).toBe(text);
  };
  await press('Pay', 'captured 129.90');
  await press('Refund half', 'captured 129.90, refunded');
  await press('Charge back', 'Charged back by the card holder');
  await press('Reverse the chargeback', 'captured 129.90, refunded');
  expect(complaints).toEqual([]);
});

test('without JavaScript the list can be looked at again', async () => {
  const { gateway, page } = await open({ javaScriptEnabled: false });
  await page.goto(`${gateway.url}/?operation=direct_payment`);
  await gateway.authorise(cardPayment({ order_no: 'TEA-1' }));
  await page.getByRole('link', { name: 'Look again' }).click();
  expect(await page.locator('.order').allTextContents()).toEqual(['TEA-1']);
  expect(await page.getByLabel('Operation').inputValue()).toBe('direct_payment');
});

test.each(['/', '/admin'])('%s fits a phone, obeys its policy, and loads every resource', async (path) => {
  const { gateway, page, complaints } = await open({ viewport: phone });
  const order_no = `a-long-order-number-${'x'.repeat(60)}-fault:refund_pending`;
  const payment = await gateway.pay({ order_no });
  await gateway.ask('refund', { refund_orders: [{ ...payment, refund_amount: '1.00' }] });
  await gateway.post('/v1/retrievalTrans', '{');
  const missing: string[] = [];
  page.on('response', (response) => {
    if (response.status() !== 200) missing.push(response.url());
  });
  await page.goto(`${gateway.url}${path}`);
  for (const summary of await page.locator('summary').all()) await summary.click();
  const right = await page.evaluate(() =>
    Math.max(...[...document.querySelectorAll('body *')].map((part) => part.getBoundingClientRect().right)),
  );
  expect(right).toBeLessThanOrEqual(phone.width);
  const clipped = await page.evaluate(() =>
    [...document.querySelectorAll('summary')].some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth),
  );
  expect(clipped).toBe(false);
  expect(await page.evaluate(() => getComputedStyle(document.body).maxWidth)).toBe('1280px');
  expect({ complaints, missing }).toEqual({ complaints: [], missing: [] });
});

test('a tester copies any card with one press, on a phone too', async () => {
  const { gateway, page, complaints } = await open({ viewport: { width: 320, height: 700 }, colorScheme: 'dark' });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(gateway.url);
  await page.getByRole('link', { name: 'Test cards' }).click();
  for (const { number, title } of Object.values(testCards)) {
    expect(
      await page
        .getByRole('listitem')
        .filter({ hasText: grouped(number) })
        .textContent(),
    ).toContain(title);
  }
  await page.getByRole('button', { name: 'Copy 4000 0000 0000 0002' }).click();
  await page.getByText('4000000000000002 copied').waitFor({ state: 'attached' });
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('4000000000000002');
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  expect(complaints).toEqual([]);
});
