import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { eventList } from '../../../shared/api/event.ts';
import { isObject } from '../../../shared/checkout/is-object.ts';
import { axeFindings, contrast } from '../../support/browsers/axe.ts';
import type { Seen } from '../../support/http/front.ts';
import { startReceiver } from '../../support/http/receiver.ts';
import { cheapHash } from '../../support/operators/console.ts';
import { type ConsoleStack, dialog, startConsoleStack, subscribe } from '../../support/operators/console-stack.ts';
import { giveUp, refuse } from '../../support/relays/given-up.ts';
import { apiKey } from '../../support/relays/relay.ts';
import { phone } from '../../support/relays/stack.ts';
import { testsAll } from '../../support/tests-all.ts';

const people = Object.entries({ Ada: ['*'], Eve: ['console'], Bob: ['console', 'refund'] }).map(([name, scopes]) => ({
  ...{ name, scopes, accounts: ['demo'] },
  password: cheapHash(`${name.toLowerCase()}’s`),
}));

const unknown = 'A-2-fault:reset-fault:query.server_error';
const refunded = 'A-3-fault:refund.reset';
const screens = [
  '',
  '/orders',
  '/disputes',
  '/payouts',
  '/subscriptions',
  '/webhooks',
  '/requests',
  '/figures',
  '/audit',
].map((path) => `/console${path}`);

/** One item of every kind that screens show, and the addresses of all of them. */
async function start(): Promise<{ stack: ConsoleStack; addresses: string[] }> {
  const config = { resolve: { first_ms: 600_000, max_ms: 600_000 } };
  const receiver = await startReceiver((_webhook, res) => refuse(res));
  const stack = await startConsoleStack({ config, console: { people }, webhookUrl: receiver.url });
  const { relay } = stack;
  for (const orderNo of ['A-1001', unknown, refunded]) await stack.pay(orderNo, '10.00');
  await subscribe(stack, 'S-1');
  const [payment] = stack.gateway.payments.list().filter(({ order }) => order.order_no === refunded);
  const item = { order_no: refunded, transaction_id: payment?.transaction_id, amount: '10.00', currency: 'BRL' };
  const { headers } = await relay.post('/v1/refund', apiKey, { refund_orders: [{ ...item, refund_amount: '10.00' }] });
  const payee = { company_name: 'Example Tea Gardens Ltd', bank_details: { account_number: '000123456' } };
  const paidOut = await relay.post('/v1/payout', apiKey, {
    ...{ request_id: randomUUID(), reason: 'tea', payment_amount: '90.00', payment_currency: 'BRL' },
    ...{ source_amount: '90.00', source_currency: 'BRL', payment_method: 'SWIFT', beneficiary: payee },
  });
  expect(paidOut.status, paidOut.text).toBe(200);
  const there = { status: 'approved', amount: '129.90', currency: 'BRL' };
  const differences = [{ class: 'missing_here', order_no: 'D-1', transaction_id: 'T1', known: false, there }];
  const period = { from: '2027-03-30T00:00:00Z', to: '2027-03-31T00:00:00Z', orders: 412, total: 1 };
  expect((await relay.post('/v1/reconciliations', apiKey, { ...period, differences })).status).toBe(201);
  const failed = async () => eventList.parse((await relay.get('/v1/events?status=failed', apiKey)).body).events;
  await giveUp(relay.context.store, 3);
  const [event] = await failed();
  const orders = ['A-1001', unknown, refunded].map((one) => `/console/orders/${encodeURIComponent(one)}`);
  const operations = [headers, paidOut.headers].map((one) => `/console/operations/${one.get('x-operation-id')}`);
  const details = [
    ...operations,
    `/console/webhooks/${event?.id}`,
    '/console/webhooks?status=failed',
    '/console/search?q=A-1001',
  ];
  return { stack, addresses: [...screens, ...orders, ...details] };
}

/** Opens a screen of the console and waits until it is complete. */
async function goTo(page: Page, address: string): Promise<void> {
  const link = page.locator(`nav a[href="${address}"]`);
  if ((await link.count()) > 0) {
    await link.click();
    // Until then the previous screen is visible.
    await page.locator(`nav a[href="${address}"][aria-current]`).waitFor();
  } else await page.goto(new URL(address, page.url()).href);
  await whole(page);
}

async function whole(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const heading = document.querySelector('main h1, main [role=alert]');
    return heading !== null && document.querySelector('main .waiting') === null;
  });
}

/**
 * For this window width: the page's width, the number of hidden navigation links, and the text that overflows its
 * cells.
 */
async function measure(page: Page, width: number) {
  await page.setViewportSize({ width, height: 800 });
  return page.evaluate(() => {
    const links = [...document.querySelectorAll('nav a')].filter((link) => {
      const { left, right, bottom } = link.getBoundingClientRect();
      return left < 0 || right > window.innerWidth || bottom > window.innerHeight;
    });
    const spilled = [...document.querySelectorAll('td :not(.hidden, .hidden *)')]
      .filter((one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .filter((one) => {
        const cell = one.closest('td')?.getBoundingClientRect();
        return cell && one.getBoundingClientRect().right > cell.right + 1;
      })
      .map(({ textContent }) => textContent);
    return { pageWidth: document.documentElement.scrollWidth, hidden: links.length, spilled };
  });
}

/** The button of a screen that opens a dialog. */
const openers = new Map([
  ['/console/orders/A-1001', 'Refund'],
  ['/console/payouts', 'Pay out'],
  ['/console/subscriptions', 'End'],
  ['/console/webhooks?status=failed', 'Send all again'],
]);

/** Opens a screen's dialog, checks it, and closes it. The dialog of a payout shows its validation errors. */
async function dialogIsFine(page: Page, address: string): Promise<void> {
  const name = openers.get(address);
  if (name === undefined) return;
  await page.getByRole('button', { name }).click();
  if (name === 'Pay out') await dialog(page).getByRole('button', { name }).click();
  else await dialog(page).locator('.sentence').waitFor();
  expect([name, await axeFindings(page)]).toEqual([name, []]);
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
}

/** The narrowest and the widest window, and one between them. */
const widths = testsAll ? [320, 390, 768, 1024, 1280, 1440, 1920] : [320, 768, 1920];

/** Labels of buttons that change something. */
const changing =
  /refund|capture|cancel|review|settle|ask the gateway|send|mark as resolved|pay out|\bend\b|approve|add a note/i;

/** Screens alternate between the two themes. Contrast depends on colours and is checked in both. */
const appearances = {
  light: { other: 'dark', width: 1280 },
  dark: { other: 'light', width: phone.width },
} as const;

it('every screen fits, is accessible, and lets readers change nothing', async () => {
  const { stack, addresses } = await start();
  const page = await stack.person('/console', { bypassCSP: true });
  const inPortuguese = await stack.person('/console', { locale: 'pt-BR' });
  for (const [at, address] of addresses.entries()) {
    for (const one of [inPortuguese, page]) {
      await goTo(one, address);
      for (const width of widths) {
        const measured = { address, ...(await measure(one, width)) };
        expect(measured).toEqual({ address, pageWidth: width, hidden: 0, spilled: [] });
      }
    }
    const colorScheme = at % 2 === 0 ? 'light' : 'dark';
    const { other, width } = appearances[colorScheme];
    await page.emulateMedia({ colorScheme: other });
    expect([address, await axeFindings(page, contrast)]).toEqual([address, []]);
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    expect([address, await axeFindings(page)]).toEqual([address, []]);
    await dialogIsFine(page, address);
    await page.setViewportSize({ width: 1280, height: 800 });
  }

  const reader = await stack.person('/console', { name: 'Eve' });
  const refused: string[] = [];
  for (const address of addresses) {
    await goTo(reader, address);
    const buttons = await reader.locator('main').getByRole('button').allInnerTexts();
    expect([address, buttons.filter((text) => changing.test(text) && !text.startsWith('Download'))]).toEqual([
      address,
      [],
    ]);
    if ((await reader.getByText('You do not have access to this.').count()) > 0) refused.push(address);
  }
  expect(refused.map((address) => address.replace(/\w+_[\w-]+$/, ''))).toEqual([
    ...['/console/webhooks', '/console/operations/', '/console/operations/', '/console/webhooks/'],
    '/console/webhooks?status=failed',
  ]);
  const other = await stack.person(addresses.find((address) => /\/operations\//.test(address)) ?? '', { name: 'Bob' });
  await other.getByRole('heading', { name: 'Refund' }).waitFor();
  expect(await other.getByRole('button', { name: 'Settle by hand' }).count()).toBe(0);
});

/** Markup that a hostile text may contain; the test appends it to every displayed text. */
const hostile = [
  '<img src=x onerror="window.hacked=1"><script>window.hacked=2</script><base href=//evil.example>',
  '\u202egnp.exe\u2066\u200f\u200b',
  '=HYPERLINK("http://evil.example","x")',
  '\u0000\u0007\u001b[2J\r\n',
  'A'.repeat(2000),
].join(' ');

/** Texts that a program reads, not a person: names of states and currencies, numbers, times, links to the next page. */
const isToken = (name: string, text: string): boolean =>
  /^([a-z_.]+|[A-Z]{3}|-?\d+(\.\d+)?|\d{4}-\d\d-\d\d(T.*Z)?)$/.test(text) || name === 'next' || name === 'code';

/** An answer with hostile markup in every text that a person reads. */
function spoiled(value: unknown, name: string): unknown {
  if (typeof value === 'string') return isToken(name, value) ? value : value + hostile;
  if (Array.isArray(value)) return value.map((one) => spoiled(one, name));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, spoiled(one, key)]));
}

const isRead = ({ method, address }: Seen): boolean => method === 'GET' && /\/console\/api\/demo\/v1\//.test(address);

/** How a page displays the texts, and whether any of them took effect. */
function effects(page: Page) {
  return page.evaluate(
    (begin) => {
      for (const details of document.querySelectorAll('details')) details.open = true;
      // The page itself isolates texts with U+2068 and U+2069.
      const marks = /[\p{Cc}\u200b\u200f\u202a-\u202e\u2066\u2067]/u;
      return {
        hacked: 'hacked' in window,
        elements: document.querySelectorAll('main img, main script, base, main [onerror]').length,
        marks: marks.test(document.querySelector('.shell')?.textContent ?? ''),
        isTooWide: document.documentElement.scrollWidth > window.innerWidth,
        isShown: document.querySelector('main')?.textContent.includes(begin) ?? false,
      };
    },
    hostile.slice(0, 20),
  );
}

describe('texts on every screen', () => {
  it('are harmless on every screen, and break no content security policy', async () => {
    const { stack, addresses } = await start();
    stack.front.rewrite(isRead, (body) => JSON.stringify(spoiled(JSON.parse(body), '')));
    const { page, complaints } = await stack.signedIn('/console', { viewport: phone });
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', ({ violatedDirective }) => console.error(violatedDirective));
    });
    const shown: string[] = [];
    for (const address of addresses) {
      await page.goto(stack.front.url + address);
      await whole(page);
      const { isShown, ...seen } = await effects(page);
      if (isShown) shown.push(address);
      const harmless = { hacked: false, elements: 0, marks: false, isTooWide: false };
      expect([address, seen]).toEqual([address, harmless]);
    }
    expect(complaints).toEqual([]);
    expect(shown.filter((address) => /(orders|operations|webhooks)\//.test(address))).toHaveLength(6);
  });
});
