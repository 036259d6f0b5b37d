import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { sharedChromium } from '../../support/browsers/chromium.ts';
import { alive, openPage, phone, startStack } from '../../support/relays/stack.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});

const WIDE = { width: 640, height: 900 };
const FIELDS = ['shopper_email', 'shopper_phone', 'birth_date', 'document'];
const collect = ['email', 'phone', 'birth_date', 'document'];

type Corner = { x: number; bottom: number };

/** The position of each input, in whole pixels. */
function cornersOf(page: Page): Promise<Corner[]> {
  return Promise.all(
    FIELDS.map(async (name) => {
      const box = await page.locator(`[id="field-${name}"]`).boundingBox();
      if (!box) throw new Error(`${name} is not shown`);
      return { x: Math.round(box.x), bottom: Math.round(box.y + box.height) };
    }),
  );
}

function expectPairs([email, tel, birthDate, document]: Corner[], dir: string): void {
  expect(email?.bottom).toBe(tel?.bottom);
  expect(birthDate?.bottom).toBe(document?.bottom);
  expect(birthDate?.bottom).toBeGreaterThan(email?.bottom ?? Number.NaN);
  const towards = dir === 'rtl' ? -1 : 1;
  expect(towards * ((document?.x ?? 0) - (birthDate?.x ?? 0))).toBeGreaterThan(0);
  expect(towards * ((tel?.x ?? 0) - (email?.x ?? 0))).toBeGreaterThan(0);
}

/** The positions of the inputs in the server's page, before any script. */
async function firstPaint(url: string): Promise<Corner[]> {
  const context = await browser.newContext({ viewport: WIDE, javaScriptEnabled: false });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(url);
  return cornersOf(page);
}

describe.each([
  ['en-GB', 'ltr'],
  ['ar', 'rtl'],
])('a long form in %s', (locale, dir) => {
  it('is in pairs when wide enough, from the first paint', async () => {
    const { relay } = await startStack();
    const { checkoutUrl } = await relay.session({ collect, locale });
    const first = await firstPaint(checkoutUrl);
    expectPairs(first, dir);
    const { page, complaints } = await openPage(browser, WIDE);
    await page.goto(checkoutUrl);
    await alive(page);
    expect(await cornersOf(page)).toEqual(first);

    // An error beside a field without one, a suggestion beside an error.
    await page.locator('[id="field-document"]').fill('123.456.789-00');
    await page.locator('[id="field-shopper_phone"]').fill('11');
    await page.locator('[id="field-shopper_email"]').fill('ada@gmial.com');
    await page.locator('[id="field-birth_date"]').focus();
    await page.getByRole('button', { name: 'ada@gmail.com' }).waitFor();
    expect(await page.locator('[id="error-document"]').textContent()).not.toBe('');
    expectPairs(await cornersOf(page), dir);
    // An error of several lines moves the neighbouring field, too.
    await page.locator('[id="error-document"]').evaluate((error) => {
      error.textContent = 'Check the number '.repeat(12);
    });
    expectPairs(await cornersOf(page), dir);
    expect(complaints).toEqual([]);
  });
});

it('a form of 400 pixels has pairs, but for a telephone number', async () => {
  const { relay } = await startStack();
  const { page } = await openPage(browser, { width: 400 + 2 * 16, height: 900 });
  const { checkoutUrl } = await relay.session({ collect, locale: 'en-GB' });
  await page.goto(checkoutUrl);
  await alive(page);
  const [email, tel, birthDate, document] = await cornersOf(page);
  expect(tel?.bottom).toBeGreaterThan(email?.bottom ?? Number.NaN);
  expect(birthDate?.bottom).toBe(document?.bottom);
  await page.locator('[id="field-birth_date-year"]').fill('1985');
  const isWhole = await page
    .locator('[id="field-birth_date-year"]')
    .evaluate((input) => input.scrollWidth <= input.clientWidth);
  expect(isWhole).toBe(true);
});

it('a long form has one column on a phone, in Tab order', async () => {
  const { relay } = await startStack();
  const { page } = await openPage(browser, phone);
  const { checkoutUrl } = await relay.session({ collect, locale: 'en-GB' });
  await page.goto(checkoutUrl);
  await alive(page);
  const bottoms = (await cornersOf(page)).map(({ bottom }) => bottom);
  expect(bottoms).toEqual([...new Set(bottoms)].sort((one, other) => one - other));
  await page.locator('[id="field-shopper_email"]').focus();
  const walked = [];
  for (let step = 0; step < 6; step++) {
    await page.keyboard.press('Tab');
    walked.push(await page.evaluate(() => document.activeElement?.id));
  }
  const rest = [
    'shopper_phone.country',
    'shopper_phone',
    'birth_date',
    'birth_date-month',
    'birth_date-year',
    'document',
  ];
  expect(walked).toEqual(rest.map((name) => `field-${name}`));
});
