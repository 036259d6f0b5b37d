import type { Frame, Page } from 'puppeteer-core';
import { describe, expect, it } from 'vitest';
import {
  find,
  firefoxWith,
  frameIn,
  heard,
  openFirefoxPage,
  type Settings,
  typeCard,
} from '../support/browsers/firefox.ts';
import { startHost } from '../support/browsers/host-page.ts';
import { startFrontedStack } from '../support/http/front.ts';

/** The form in a shop on another site, in a Firefox that its owner has set up so. */
function inAFirefoxWith(settings: Settings): () => Promise<{ page: Page; form: Frame; payments(): unknown[] }> {
  const browser = firefoxWith(settings);
  return async () => {
    const { gateway, shopUrl } = await startFrontedStack();
    const { page } = await openFirefoxPage(browser());
    await page.goto(`${shopUrl.replace('127.0.0.1', 'localhost')}/?methods=card`);
    return { page, form: await frameIn(page), payments: () => [...gateway.payments.list()] };
  };
}

const plain = firefoxWith({});

/** How light a colour that the browser computed is: 0 is black, 1 white. */
async function lightness(form: Frame, selector: string, property: 'color' | 'backgroundColor'): Promise<number> {
  const rgb = await form.$eval(selector, (element, name) => getComputedStyle(element)[name], property);
  const channels = (rgb.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);
  return channels.reduce((sum, channel) => sum + channel, 0) / channels.length / 255;
}

describe('a Firefox that blocks all cookies of other sites, in the dark and without motion', () => {
  const open = inAFirefoxWith({
    'network.cookie.cookieBehavior': 1,
    'layout.css.prefers-color-scheme.content-override': 0,
    'ui.systemUsesDarkTheme': 1,
    'ui.prefersReducedMotion': 1,
  });

  it('pays', async () => {
    const { page, form, payments } = await open();
    await typeCard(form, '4111111111111111');
    await page.keyboard.press('Enter');
    await heard(page, 'approved');
    expect(payments()).toHaveLength(1);
  });

  it('has light text on dark fields where the shop leaves it to the browser', async () => {
    const { form } = await open();
    await form.waitForFunction(() => matchMedia('(prefers-color-scheme: dark)').matches);
    await form.waitForSelector(':root[data-theme=dark]');
    expect(await lightness(form, 'h1', 'color')).toBeGreaterThan(0.7);
    expect(await lightness(form, '[autocomplete="cc-number"]', 'color')).toBeGreaterThan(0.7);
  });

  it('moves nothing', async () => {
    const { form } = await open();
    await (await find(form, 'cc-number')).type('4111111111111112');
    await (await find(form, 'cc-exp')).focus();
    const longest = await form.evaluate(() =>
      Math.max(
        ...[...document.querySelectorAll('*')].flatMap((element) => {
          const { transitionDuration, animationDuration } = getComputedStyle(element);
          return [transitionDuration, animationDuration].map((duration) => Number.parseFloat(duration));
        }),
      ),
    );
    expect(longest).toBeLessThanOrEqual(0.01);
  });
});

it('has the form as dark as the page around it in Firefox, and turns it with the page', async () => {
  const { relay, loader, put } = await startHost();
  const { secret } = await relay.session();
  const { page } = await openFirefoxPage(plain());
  const style = '<style>.night { background: #000; color: oklch(0.95 0 0) }</style>';
  const body = `<div class="night"><turnpike-checkout session="${secret}" theme="auto"></turnpike-checkout></div>`;
  await page.goto(put({ head: loader + style, body }));
  const form = await frameIn(page);
  await form.waitForSelector(':root[data-theme=dark]');
  expect(await lightness(form, '[autocomplete="cc-number"]', 'color')).toBeGreaterThan(0.7);
  await page.evaluate(() => document.querySelector('.night')?.classList.remove('night'));
  await form.waitForSelector(':root[data-theme=light]');
});

describe('a Firefox with colours of its own', () => {
  const open = inAFirefoxWith({ 'browser.display.document_color_use': 2 });

  it('shows edges of the fields, what has the focus, and what is wrong, in its own colours', async () => {
    const { form } = await open();
    expect(await form.evaluate(() => matchMedia('(forced-colors: active)').matches)).toBe(true);
    const number = await find(form, 'cc-number');
    await number.type('4111111111111112');
    await (await find(form, 'cc-exp')).focus();
    await form.waitForSelector('[autocomplete="cc-number"][aria-invalid="true"]');
    const looks = await form.evaluate(() => {
      const widthOf = (selector: string, property: 'borderTopWidth' | 'outlineWidth') => {
        const element = document.querySelector(selector);
        return element ? Number.parseFloat(getComputedStyle(element)[property]) : 0;
      };
      const edge = Math.max(widthOf('.box', 'borderTopWidth'), widthOf('.box input', 'borderTopWidth'));
      const focus = ['.box:focus-within', ':focus'].map((selector) => widthOf(selector, 'outlineWidth'));
      const button = widthOf('button[type=submit]', 'borderTopWidth');
      const error = [...document.querySelectorAll('.error')].map((line) => line.textContent).join('');
      return { edge, focus: Math.max(...focus), button, error };
    });
    expect(looks.edge).toBeGreaterThanOrEqual(1);
    expect(looks.focus).toBeGreaterThanOrEqual(2);
    expect(looks.button).toBeGreaterThanOrEqual(1);
    expect(looks.error).not.toBe('');
  });
});
