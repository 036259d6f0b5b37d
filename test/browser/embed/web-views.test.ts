import type { Browser, BrowserContext } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { sharedChromium } from '../../support/browsers/chromium.ts';
import { startHost } from '../../support/browsers/host-page.ts';
import { alive, backOnline, formIn, openPage, phone, typeCard } from '../../support/relays/stack.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});

/** What an app injects into the pages of its web view, different for each platform. */
const bridges: Record<string, (context: BrowserContext) => Promise<unknown>> = {
  'React Native': (context) =>
    context.addInitScript(() => {
      const messages: string[] = [];
      Object.assign(window, {
        messages,
        ReactNativeWebView: { postMessage: (message: string) => void messages.push(message) },
      });
    }),
  iOS: (context) =>
    context.addInitScript(() => {
      const messages: string[] = [];
      const turnpike = { postMessage: (message: string) => void messages.push(message) };
      Object.assign(window, { messages, webkit: { messageHandlers: { turnpike } } });
    }),
  Android: (context) =>
    context.addInitScript(() => {
      const messages: string[] = [];
      Object.assign(window, {
        messages,
        TurnpikeAndroid: { postMessage: (message: string) => void messages.push(message) },
      });
    }),
};

it.each([
  ['React Native', 'a page that holds the checkout'],
  ['iOS', 'the hosted page'],
  ['Android', 'a page that holds the checkout'],
])('a web view of %s receives every event of %s', async (app, where) => {
  const { relay, gateway, loader, put } = await startHost();
  const { secret, checkoutUrl, orderNo } = await relay.session();
  const { page, context, complaints } = await openPage(browser, phone);
  await bridges[app]?.(context);
  const isHosted = where === 'the hosted page';
  const element = `<turnpike-checkout session="${secret}"></turnpike-checkout>`;
  await page.goto(isHosted ? checkoutUrl : put({ head: loader, body: element }));
  const readMessages = async (): Promise<{ channel: string; type: string; detail?: object; height?: number }[]> => {
    const messages = await page.evaluate(() =>
      'messages' in window && Array.isArray(window.messages) ? window.messages : [],
    );
    return messages.map((message) => JSON.parse(message));
  };
  const messagesOfType = async (type: string) => (await readMessages()).filter((message) => message.type === type);

  const form = isHosted ? page : formIn(page);
  await typeCard(form, '4111111111111111');
  await expect.poll(() => messagesOfType('ready')).toHaveLength(1);
  await alive(form);
  await context.setOffline(true);
  await form.locator('button[type=submit]').click();
  await expect.poll(() => messagesOfType('error')).toMatchObject([{ detail: { code: 'offline' } }]);
  await backOnline(context, form);
  await form.locator('button[type=submit]').click();
  await expect
    .poll(() => messagesOfType('result'))
    .toMatchObject([{ detail: { status: 'approved', order_no: orderNo } }]);
  expect((await messagesOfType('submit')).length).toBeGreaterThan(0);
  const detail = { complete: true, brand: 'visa', payment_method: 'card' };
  expect(await messagesOfType('change')).toContainEqual({ channel: 'turnpike', type: 'change', detail });
  // The app makes its web view as high as the hosted page. The height of an embedded form is that of its frame.
  if (isHosted) expect((await messagesOfType('ready'))[0]?.height).toBeGreaterThan(300);
  const messages = await readMessages();
  expect(messages.map(({ channel }) => channel)).toEqual(messages.map(() => 'turnpike'));
  expect(JSON.stringify(messages)).not.toContain('41111111');
  expect(gateway.payments.list()).toHaveLength(1);
  expect(complaints.filter((complaint) => !complaint.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([]);
});
