import type { FrameLocator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { startHost } from '../../support/browsers/host-page.ts';
import { browserThat } from '../../support/browsers/preferences.ts';
import { formIn, typeCard, waitForEvent } from '../../support/relays/stack.ts';

/** Whether scripts of a document may store anything. */
const keeps = (place: Page | FrameLocator) =>
  place.locator('html').evaluate(() => {
    try {
      localStorage.setItem('probe', '1');
      return true;
    } catch {
      return false;
    }
  });

const thirdParty = { profile: { cookie_controls_mode: 1, block_third_party_cookies: true } };
const every = { profile: { default_content_setting_values: { cookies: 2 } } };

it.each([
  { what: 'third-party cookies', preferences: thirdParty, shopKeeps: true },
  { what: 'all cookies and all storage', preferences: every, shopKeeps: false },
])('a shopper pays in a browser that blocks $what', async ({ preferences, shopKeeps }) => {
  const { relay, gateway, loader, put } = await startHost();
  const { secret } = await relay.session();
  const { page, complaints } = await browserThat(preferences);
  await page.goto(put({ head: loader, body: `<turnpike-checkout session="${secret}"></turnpike-checkout>` }));
  const form = formIn(page);
  await typeCard(form, '4111111111111111');
  expect(await keeps(page)).toBe(shopKeeps);
  expect(await keeps(form)).toBe(false);
  await form.locator('button[type=submit]').click();
  await waitForEvent(page, '"status":"approved"');
  expect(gateway.payments.list()).toHaveLength(1);
  expect(complaints).toEqual([]);
});
