import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { cards } from '../../../sandbox/gateway/faults/test-cards.ts';
import { axeFindings } from '../../support/browsers/axe.ts';
import { type Sitting, signInAt, startConsoleStack } from '../../support/operators/console-stack.ts';
import { phone } from '../../support/relays/stack.ts';

const DAY_MS = 86_400_000;

const card = (page: Page, title: string): Locator =>
  page.locator('.card').filter({ has: page.getByRole('heading', { name: title }) });
const chart = (page: Page, title: string): Locator => page.getByRole('slider', { name: title });
const filterIn = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);
const dayOf = (daysAgo: number, today: number): string =>
  new Date((Math.floor(today / DAY_MS) - daysAgo) * DAY_MS).toISOString();

/** Lets a day pass between payments: of the relay, and of the page that looks at them. */
async function startDays() {
  const stack = await startConsoleStack();
  let passed = 0;
  return {
    ...stack,
    nextDay(): void {
      passed += DAY_MS;
      stack.relay.pass(DAY_MS);
    },
    now: () => Date.now() + passed,
    /** Somebody who looks at figures, at the relay's time. */
    async look(address = '/console/figures', sitting: Sitting = {}) {
      const watched = await stack.open('/console/audit', sitting);
      const { page } = watched;
      await signInAt(page, 'Ada');
      await page.clock.setFixedTime(Date.now() + passed);
      await page.goto(stack.front.url + address);
      await page.locator('.great, .empty').first().waitFor();
      return watched;
    },
  };
}

/** Two paid and one declined the day before yesterday, one paid yesterday, and one in dollars today. */
async function payThreeDays(stack: Awaited<ReturnType<typeof startDays>>): Promise<void> {
  await stack.pay('A-1', '10.00');
  await stack.pay('A-2', '20.00');
  await stack.pay('A-3', '99.00', { card: cards.declined.number });
  stack.nextDay();
  await stack.pay('B-1', '40.50');
  stack.nextDay();
  await stack.pay('C-1', '7.25', { currency: 'USD' });
}

describe('the figures', () => {
  it('tell what was paid, and draw it under the page’s policy', async () => {
    const stack = await startDays();
    await payThreeDays(stack);
    const { page, complaints } = await stack.look();
    await card(page, 'Approval rate').getByText('80%', { exact: true }).waitFor();
    await card(page, 'Approval rate').getByText('4 approved, 1 declined').waitFor();
    await card(page, 'Volume in BRL').getByRole('link', { name: 'R$70.50' }).waitFor();
    await card(page, 'Volume in USD').getByRole('link', { name: 'US$7.25' }).waitFor();
    await card(page, 'Volume in BRL').getByText('Nothing in the 7 days before').waitFor();
    await card(page, 'Gateway latency').getByText('p95 of 5 answers').waitFor();
    expect(await page.locator('.chart canvas').count()).toBe(4);
    expect(await inkOf(chart(page, 'Volume in BRL'))).toBeGreaterThan(1000);
    expect(complaints.filter((line) => !line.includes('401'))).toEqual([]);
  });

  it('compare with the time before, to the hour', async () => {
    const stack = await startDays();
    await stack.pay('A-1', '10.00');
    for (let day = 0; day < 7; day++) stack.nextDay();
    await stack.pay('B-1', '15.00');
    const { page } = await stack.look();
    await card(page, 'Volume in BRL').getByText('+50%').waitFor();
    await card(page, 'Volume in BRL').getByText('R$10.00 in the 7 days before').waitFor();
    await card(page, 'Approval rate').getByText('100% in the 7 days before').waitFor();
  });

  it('lead from a day to its orders, by keyboard', async () => {
    const stack = await startDays();
    await payThreeDays(stack);
    const { page } = await stack.look();
    const volume = chart(page, 'Volume in BRL');
    await volume.focus();
    for (const key of ['Home', 'End', 'ArrowLeft', 'ArrowLeft']) await volume.press(key);
    await expect.poll(() => volume.getAttribute('aria-valuetext')).toContain('R$30.00');
    await card(page, 'Volume in BRL').locator('.readout').getByText('R$30.00').waitFor();
    await volume.press('Enter');
    await expect.poll(() => page.locator('tbody .what').allInnerTexts()).toEqual(['A-2', 'A-1']);
    expect(filterIn(page)).toMatchObject({
      ...{ status: 'paid', currency: 'BRL' },
      ...{ created_from: dayOf(2, stack.now()), created_to: dayOf(1, stack.now()) },
    });
  });

  it('lead from a bar to its orders, by pointer', async () => {
    const stack = await startDays();
    await payThreeDays(stack);
    const { page } = await stack.look();
    const over = chart(page, 'Volume in BRL').locator('.u-over');
    await over.scrollIntoViewIfNeeded();
    const { x, y, width, height } = (await over.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    // The last but one of seven.
    await page.mouse.move(x + (width * 5.4) / 7, y + height / 2);
    await card(page, 'Volume in BRL').locator('.readout').getByText('R$40.50').waitFor();
    await page.mouse.click(x + (width * 5.4) / 7, y + height / 2);
    await expect.poll(() => page.locator('tbody .what').allInnerTexts()).toEqual(['B-1']);
  });

  it('lead to orders by the second touch of a bar', async () => {
    const stack = await startDays();
    await payThreeDays(stack);
    const { page } = await stack.look('/console/figures', { hasTouch: true, viewport: phone });
    const over = chart(page, 'Volume in BRL').locator('.u-over');
    await over.scrollIntoViewIfNeeded();
    const { width = 0, height = 0 } = (await over.boundingBox()) ?? {};
    const position = { x: (width * 5.4) / 7, y: height / 2 };
    await over.tap({ position });
    await card(page, 'Volume in BRL').locator('.readout').getByText('R$40.50').waitFor();
    expect(page.url()).toContain('/console/figures');
    await over.tap({ position });
    await expect.poll(() => page.locator('tbody .what').allInnerTexts()).toEqual(['B-1']);
  });

  it('are tables as well', async () => {
    const stack = await startDays();
    await payThreeDays(stack);
    const { page } = await stack.look();
    const rate = card(page, 'Approval rate');
    await rate.locator('summary').focus();
    await page.keyboard.press('Enter');
    const rows = rate.locator('tbody tr');
    expect(await rows.count()).toBe(7);
    expect(await rows.nth(2).innerText()).toContain('66.7% · 2 of 3');
    await rows.nth(2).getByRole('link').press('Enter');
    await expect.poll(() => page.locator('tbody .what').allInnerTexts()).toEqual(['A-3', 'A-2', 'A-1']);
  });

  it('lead to the orders of a code, a method and a currency', async () => {
    const stack = await startDays();
    await payThreeDays(stack);
    const { page } = await stack.look();
    const span = { created_from: dayOf(6, stack.now()), created_to: dayOf(-1, stack.now()) };
    await card(page, 'Decline reasons').getByText('Do not honour').waitFor();
    await card(page, 'Decline reasons').getByRole('link').click();
    await expect.poll(() => page.locator('tbody .what').allInnerTexts()).toEqual(['A-3']);
    expect(filterIn(page)).toEqual({ ...span, decline_code: '2001' });
    await page.goBack();
    await card(page, 'Payment methods').getByRole('link', { name: 'Card' }).click();
    await expect.poll(() => page.locator('tbody tr').count()).toBe(5);
    expect(filterIn(page)).toEqual({ ...span, payment_method: 'card' });
    await page.goBack();
    await card(page, 'Volume in USD').getByRole('link', { name: 'US$7.25' }).click();
    await expect.poll(() => page.locator('tbody .what').allInnerTexts()).toEqual(['C-1']);
    expect(filterIn(page)).toEqual({ ...span, status: 'paid', currency: 'USD' });
  });

  it('keep the days and the currency in the address', async () => {
    const stack = await startDays();
    await payThreeDays(stack);
    const { page } = await stack.look();
    await page.getByRole('link', { name: '30 days' }).click();
    await page.getByLabel('Currency').selectOption('USD');
    await expect.poll(() => page.locator('.card h2').allInnerTexts()).not.toContain('Volume in BRL');
    expect(filterIn(page)).toEqual({ days: '30', currency: 'USD' });
    expect(await page.getByLabel('Currency').locator('option').allInnerTexts()).toEqual([
      'All currencies',
      'BRL',
      'USD',
    ]);
    await page.reload();
    await card(page, 'Volume in USD').getByText('1 payment').waitFor();
    await page.getByRole('link', { name: '24 hours' }).click();
    const rows = card(page, 'Volume in USD').locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(24);
  });

  it('are drawn anew in the dark and in another size', async () => {
    const stack = await startDays();
    await payThreeDays(stack);
    const { page } = await stack.look();
    const canvas = chart(page, 'Approval rate').locator('canvas');
    const drawn = () => canvas.evaluate((element: HTMLCanvasElement) => element.toDataURL());
    await canvas.waitFor();
    const light = await drawn();
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(drawn).not.toBe(light);
    await page.setViewportSize(phone);
    await expect.poll(async () => (await canvas.boundingBox())?.width ?? 0).toBeLessThan(phone.width);
  });

  it.each(['light', 'dark'] as const)('break no rule of axe, in the %s', async (colorScheme) => {
    const stack = await startDays();
    const { page } = await stack.look('/console/figures', { colorScheme, bypassCSP: true });
    await page.getByText('No payments in the last 7 days.').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await stack.pay('A-1', '10.00');
    // Figures are kept for a minute.
    await page.getByRole('link', { name: '30 days' }).click();
    await card(page, 'Volume in BRL').locator('summary').click();
    expect(await axeFindings(page)).toEqual([]);
    await page.setViewportSize(phone);
    await page.locator('.card').first().waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });

  it('load their charts when somebody looks at them', async () => {
    const stack = await startConsoleStack();
    const { page, requests } = await stack.open('/console/orders');
    await signInAt(page, 'Ada');
    await page.locator('.empty').waitFor();
    const charts = () => requests.filter((address) => address.includes('/assets/figures-'));
    expect(charts()).toEqual([]);
    await page.getByRole('link', { name: 'Figures' }).click();
    await page.getByText('No payments in the last 7 days.').waitFor();
    expect(charts()).toHaveLength(1);
  });
});

/** How many pixels of a chart are drawn on. */
function inkOf(box: Locator): Promise<number> {
  return box.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
    const pixels = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
    let ink = 0;
    for (let at = 3; at < pixels.length; at += 4) if ((pixels[at] ?? 0) > 0) ink++;
    return ink;
  });
}
