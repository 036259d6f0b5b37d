import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { testCards } from '../../../shared/card-data/test-cards.ts';
import { startConsoleStack } from '../../support/operators/console-stack.ts';
import { phone } from '../../support/relays/stack.ts';

const DAY_MS = 86_400_000;

const card = (page: Page, title: string): Locator =>
  page.locator('.card').filter({ has: page.getByRole('heading', { name: title }) });
const chart = (page: Page, title: string): Locator => page.getByRole('slider', { name: title });
const filterIn = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);
const dayOf = (daysAgo: number, today: number): string =>
  new Date((Math.floor(today / DAY_MS) - daysAgo) * DAY_MS).toISOString();

/** The orders that a page lists after the action; then it returns to the figures. */
async function leadsTo(page: Page, orders: string[], filter: object = {}): Promise<void> {
  await expect.poll(() => page.locator('tbody .what').allInnerTexts()).toEqual(orders);
  expect(filterIn(page)).toMatchObject(filter);
  await page.goBack();
  await card(page, 'Volume in BRL').getByRole('link').first().waitFor();
}

/**
 * A payment of a week ago, two payments and a decline of the day before yesterday, a payment of yesterday, and one in
 * dollars of today; and a person whose browser clock shows the relay's time.
 */
async function startDays() {
  const stack = await startConsoleStack();
  let passed = 0;
  const pass = (days: number): void => {
    passed += days * DAY_MS;
    stack.relay.pass(days * DAY_MS);
  };
  await stack.pay('Z-1', '47.00');
  pass(5);
  await stack.pay('A-1', '10.00');
  await stack.pay('A-2', '20.00');
  await stack.pay('A-3', '99.00', { card: testCards.declined.number });
  pass(1);
  await stack.pay('B-1', '40.50');
  pass(1);
  await stack.pay('C-1', '7.25', { currency: 'USD' });
  const now = Date.now() + passed;
  const watched = await stack.signedIn('/console/orders', { hasTouch: true });
  await watched.page.clock.setFixedTime(now);
  return { ...watched, now };
}

it('figures show what was paid and link to its orders', async () => {
  const { page, requests, complaints, now } = await startDays();
  // The charts load when they become visible.
  const charts = () => requests.filter((address) => address.includes('/assets/figures-'));
  await page.locator('tbody tr').first().waitFor();
  expect(charts()).toEqual([]);
  await page.getByRole('link', { name: 'Figures' }).click();
  await page.locator('.great').first().waitFor();
  await expect.poll(charts).toHaveLength(1);

  const volume = card(page, 'Volume in BRL');
  await card(page, 'Approval rate').getByText('80%', { exact: true }).waitFor();
  await card(page, 'Approval rate').getByText('4 approved, 1 declined').waitFor();
  await card(page, 'Approval rate').getByText('100% in the 7 days before').waitFor();
  await volume.getByRole('link', { name: 'R$70.50' }).waitFor();
  await volume.getByText('+50%').waitFor();
  await volume.getByText('3 payments · R$70.50 net').waitFor();
  await volume.getByText('R$47.00 in the 7 days before').waitFor();
  await card(page, 'Volume in USD').getByText('Nothing in the 7 days before').waitFor();
  await card(page, 'Gateway latency').getByText('p95 of 5 answers').waitFor();
  await expect.poll(() => page.locator('.chart canvas').count()).toBe(4);
  await expect.poll(() => inkOf(chart(page, 'Volume in BRL'))).toBeGreaterThan(1000);

  // From a day to its orders, by keyboard.
  const bars = chart(page, 'Volume in BRL');
  await bars.focus();
  for (const key of ['Home', 'End', 'ArrowLeft', 'ArrowLeft']) await bars.press(key);
  await expect.poll(() => bars.getAttribute('aria-valuetext')).toContain('R$30.00');
  await volume.locator('.readout').getByText('R$30.00').waitFor();
  await bars.press('Enter');
  const thatDay = { created_from: dayOf(2, now), created_to: dayOf(1, now) };
  await leadsTo(page, ['A-2', 'A-1'], { status: 'paid', currency: 'BRL', ...thatDay });

  // From a bar, the last but one of seven: by mouse, and by its second touch.
  const over = bars.locator('.u-over');
  await over.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await over.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const position = { x: (width * 5.4) / 7, y: height / 2 };
  await page.mouse.move(x + position.x, y + position.y);
  await volume.locator('.readout').getByText('R$40.50').waitFor();
  await page.mouse.click(x + position.x, y + position.y);
  await leadsTo(page, ['B-1']);
  await over.tap({ position });
  await volume.locator('.readout').getByText('R$40.50').waitFor();
  expect(page.url()).toContain('/console/demo/figures');
  await over.tap({ position });
  await leadsTo(page, ['B-1']);

  // From a table with the same figures.
  const rate = card(page, 'Approval rate');
  await rate.locator('summary').focus();
  await page.keyboard.press('Enter');
  const rows = rate.locator('tbody tr');
  await expect.poll(() => rows.count()).toBe(7);
  expect(await rows.nth(2).innerText()).toContain('66.7% · 2 of 3');
  await rows.nth(2).getByRole('link').press('Enter');
  await leadsTo(page, ['A-3', 'A-2', 'A-1']);

  // From a code, a method and a currency.
  const span = { created_from: dayOf(6, now), created_to: dayOf(-1, now) };
  await card(page, 'Decline reasons').getByText('Do not honour').waitFor();
  await card(page, 'Decline reasons').getByRole('link').click();
  await leadsTo(page, ['A-3'], { ...span, decline_code: '2001' });
  await card(page, 'Payment methods').getByRole('link', { name: 'Card' }).click();
  await leadsTo(page, ['C-1', 'B-1', 'A-3', 'A-2', 'A-1'], { ...span, payment_method: 'card' });
  await card(page, 'Volume in USD').getByRole('link', { name: 'US$7.25' }).click();
  await leadsTo(page, ['C-1'], { ...span, status: 'paid', currency: 'USD' });
  expect(complaints).toEqual([]);
});

it('figures keep their days and currency and fit the screen', async () => {
  const { page } = await startDays();
  await page.getByRole('link', { name: 'Figures' }).click();
  const canvas = chart(page, 'Approval rate').locator('canvas');
  const drawn = () => canvas.evaluate((element: HTMLCanvasElement) => element.toDataURL());
  await canvas.waitFor();
  const light = await drawn();
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(drawn).not.toBe(light);
  await page.setViewportSize(phone);
  await expect.poll(async () => (await canvas.boundingBox())?.width ?? 0).toBeLessThan(phone.width);

  await page.getByRole('link', { name: '30 days' }).click();
  await page.getByLabel('Currency').selectOption('USD');
  await expect.poll(() => page.locator('.card h2').allInnerTexts()).not.toContain('Volume in BRL');
  expect(filterIn(page)).toEqual({ days: '30', currency: 'USD' });
  const currencies = ['All currencies', 'BRL', 'USD'];
  expect(await page.getByLabel('Currency').locator('option').allInnerTexts()).toEqual(currencies);
  await page.reload();
  await card(page, 'Volume in USD').getByText('1 payment').waitFor();
  await page.getByRole('link', { name: '24 hours' }).click();
  await expect.poll(() => card(page, 'Volume in USD').locator('tbody tr').count()).toBe(24);
});

/** The number of painted pixels of a chart. */
function inkOf(box: Locator): Promise<number> {
  return box.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
    const pixels = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
    let ink = 0;
    for (let at = 3; at < pixels.length; at += 4) if ((pixels[at] ?? 0) > 0) ink++;
    return ink;
  });
}
