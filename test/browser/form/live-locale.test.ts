import type { Browser, Locator } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { languages } from '../../../widget/locales/languages.ts';
import { sharedChromium } from '../../support/browsers/chromium.ts';
import { alive, formIn, openPage, phone, startStack, typeCard, waitForRoutes } from '../../support/relays/stack.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});

/** Opens the form in the shop's page, with its script running. */
async function openForm(locale: string) {
  const stack = await startStack();
  const { page, context, complaints } = await openPage(browser, phone);
  await page.goto(`${stack.shopUrl}/?methods=card&amount=1234.50&locale=${locale}`);
  await alive(formIn(page));
  const form = formIn(page);
  const field = (token: string) => form.locator(`[autocomplete="${token}"]`);
  const element = page.locator('turnpike-checkout');
  return {
    ...stack,
    page,
    context,
    complaints,
    form,
    field,
    html: form.locator('html'),
    setLocale: (locale: string) => element.evaluate((checkout, tag) => checkout.setAttribute('locale', tag), locale),
  };
}

const saying = (locale: string, key: 'number' | 'expiry_past' | 'title' | 'approved_title') =>
  languages[locale]?.form[key] ?? '';

/** The caret with the typed text around it. */
const caretIn = (input: Locator) =>
  input.evaluate((element: HTMLInputElement) => {
    const { value, selectionStart } = element;
    return [
      document.activeElement === element,
      `${value.slice(0, selectionStart ?? 0)}|${value.slice(selectionStart ?? 0)}`,
    ];
  });

describe('another language while the shopper is typing', () => {
  it('changes every text of the form and no typed value', async () => {
    const { page, form, field, html, setLocale, complaints } = await openForm('en');
    const number = field('cc-number');
    const frame = page.locator('turnpike-checkout iframe');
    await field('cc-exp').fill('01/20');
    await number.pressSequentially('41111111');
    await number.evaluate((input: HTMLInputElement) => input.setSelectionRange(4, 4));
    expect(await frame.getAttribute('title')).toBe(saying('en', 'title'));

    for (const [tag, dir, amount] of [
      ['ar', 'rtl', /^\u200f1,234\.50/],
      ['ja', 'ltr', /^R\$1,234\.50$/],
    ] as const) {
      await setLocale(tag);
      await form.getByLabel(saying(tag, 'number'), { exact: true }).waitFor();
      await expect.poll(() => html.evaluate(({ lang, dir }: HTMLElement) => [lang, dir])).toEqual([tag, dir]);
      expect(await caretIn(number)).toEqual([true, '4111| 1111']);
      expect(await field('cc-exp').inputValue()).toBe('01 / 20');
      expect(await form.locator('#error-expiry').textContent()).toBe(saying(tag, 'expiry_past'));
      expect(await form.locator('.amount').textContent()).toMatch(amount);
      await expect.poll(() => html.locator('title').textContent()).toBe(saying(tag, 'title'));
      await expect.poll(() => frame.getAttribute('title')).toBe(saying(tag, 'title'));
    }
    await page.keyboard.type('22');
    expect(await caretIn(number)).toEqual([true, '4111 22|11 11']);
    expect(complaints).toEqual([]);
  });

  it('is skipped when it cannot load, and loads when chosen again', async () => {
    const { page, context, form, html, setLocale } = await openForm('en');
    await context.route('**/checkout/*locale=it*', (route) => route.abort());
    await waitForRoutes(page, form);
    const failed = page.waitForEvent('requestfailed');
    await setLocale('it');
    await failed;
    expect(await html.getAttribute('lang')).toBe('en');
    await context.unrouteAll();
    await setLocale('en');
    await setLocale('it');
    await form.getByLabel(saying('it', 'number'), { exact: true }).waitFor();
  });

  it('is the last one chosen, however late the others load', async () => {
    const { context, form, html, setLocale, page } = await openForm('en');
    const late = Promise.withResolvers<void>();
    await context.route('**/checkout/*locale=fr*', async (route) => {
      await late.promise;
      await route.continue();
    });
    await waitForRoutes(page, form);
    const asked = page.waitForRequest(/locale=fr/);
    for (const tag of ['de', 'fr']) await setLocale(tag);
    // Until the form is ready, only the last choice is sent to it.
    await asked;
    await setLocale('ko');
    await form.getByLabel(saying('ko', 'number'), { exact: true }).waitFor();
    const came = page.waitForEvent('requestfinished', (request) => request.url().includes('locale=fr'));
    late.resolve();
    await came;
    await page.evaluate(() => new Promise((done) => setTimeout(done)));
    expect(await html.getAttribute('lang')).toBe('ko');
    expect(await form.getByLabel(saying('ko', 'number'), { exact: true }).count()).toBe(1);
  });
});

describe('from right to left', () => {
  it('a card is typed and corrected from left to right', async () => {
    const { page, form, field, html, complaints } = await openForm('ar');
    expect(await html.evaluate(({ lang, dir }: HTMLElement) => [lang, dir])).toEqual(['ar', 'rtl']);
    await typeCard(form, '4111111111111111');
    const number = field('cc-number');
    await number.focus();
    await number.evaluate((input: HTMLInputElement) => input.setSelectionRange(5, 5));
    await page.keyboard.press('Backspace');
    expect(await caretIn(number)).toEqual([true, '411|1 1111 1111 111']);
    await page.keyboard.type('1');
    expect(await caretIn(number)).toEqual([true, '4111| 1111 1111 1111']);
    await page.keyboard.press('ArrowRight');
    expect(await caretIn(number)).toEqual([true, '4111 |1111 1111 1111']);
    expect(await field('cc-exp').inputValue()).toBe('12 / 30');

    const stylesOf = (token: string) =>
      field(token).evaluate((input) => {
        const { direction, textAlign, paddingLeft, paddingRight } = getComputedStyle(input);
        return [direction, textAlign, paddingLeft, paddingRight];
      });
    expect(await stylesOf('cc-number')).toEqual(['ltr', 'right', '58px', '14px']);
    expect(await stylesOf('cc-exp')).toEqual(['ltr', 'right', '14px', '14px']);
    const [mark, box] = await Promise.all([form.locator('.mark').first().boundingBox(), number.boundingBox()]);
    expect((mark?.x ?? 0) - (box?.x ?? 0)).toBeLessThan(20);
    const [expiry, code] = await Promise.all([field('cc-exp').boundingBox(), field('cc-csc').boundingBox()]);
    expect(expiry?.x).toBeGreaterThan(code?.x ?? 0);

    await form.locator('button[type=submit]').click();
    await form.getByRole('heading', { name: saying('ar', 'approved_title') }).waitFor();
    // The last digits follow the dots that replace the others.
    const dots = form.getByText('•••• 1111');
    expect(await dots.evaluate((line) => getComputedStyle(line).direction)).toBe('ltr');
    expect(complaints).toEqual([]);
  });
});
