import { expect, it } from 'vitest';
import { find, firefoxWith, frameIn, openFirefoxPage, typeCard, waitForResult } from '../support/browsers/firefox.ts';
import { startFrontedStack } from '../support/http/front.ts';
import { phone } from '../support/relays/stack.ts';

/** Firefox blocks all third-party cookies, shows pages in its own colours, and requests reduced motion. */
const browser = firefoxWith({
  'browser.display.document_color_use': 2,
  'network.cookie.cookieBehavior': 1,
  'ui.prefersReducedMotion': 1,
});

it('pays in a strict Firefox on a phone, without motion', async () => {
  const { gateway, shopUrl } = await startFrontedStack();
  const { page } = await openFirefoxPage(browser(), phone);
  await page.goto(`${shopUrl.replace('127.0.0.1', 'localhost')}/?methods=card`);
  const form = await frameIn(page);
  expect(await form.evaluate(() => matchMedia('(forced-colors: active)').matches)).toBe(true);
  expect(await form.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  const number = await find(form, 'cc-number');
  await number.type('4111111111111112');
  await (await find(form, 'cc-exp')).focus();
  await form.waitForSelector('[autocomplete="cc-number"][aria-invalid="true"]');
  const styles = await form.evaluate(() => {
    const widthOf = (selector: string, property: 'borderTopWidth' | 'outlineWidth') => {
      const element = document.querySelector(selector);
      return element ? Number.parseFloat(getComputedStyle(element)[property]) : 0;
    };
    const edge = Math.max(widthOf('.box', 'borderTopWidth'), widthOf('.box input', 'borderTopWidth'));
    const focus = ['.box:focus-within', ':focus'].map((selector) => widthOf(selector, 'outlineWidth'));
    const button = widthOf('button[type=submit]', 'borderTopWidth');
    const error = [...document.querySelectorAll('.error')].map((line) => line.textContent).join('');
    const durations = [...document.querySelectorAll('*')].flatMap((element) => {
      const { transitionDuration, animationDuration } = getComputedStyle(element);
      return [transitionDuration, animationDuration].map((duration) => Number.parseFloat(duration));
    });
    return { edge, focus: Math.max(...focus), button, error, motion: Math.max(...durations) };
  });
  expect(styles.edge).toBeGreaterThanOrEqual(1);
  expect(styles.focus).toBeGreaterThanOrEqual(2);
  expect(styles.button).toBeGreaterThanOrEqual(1);
  expect(styles.error).not.toBe('');
  expect(styles.motion).toBeLessThanOrEqual(0.01);

  await number.click({ count: 3 });
  await typeCard(form, '4111111111111111');
  await page.keyboard.press('Enter');
  await waitForResult(page, 'approved');
  expect(gateway.payments.list()).toHaveLength(1);
});
