import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { isObject } from '../../../../shared/checkout/is-object.ts';
import type { Seen } from '../../../support/http/front.ts';
import { type ConsoleStack, startConsoleStack } from '../../../support/operators/console-stack.ts';
import { phone } from '../../../support/relays/stack.ts';

/** What a text may try; it is put behind every text that is told. */
const hostile = {
  'markup, marks and formulas': [
    '<img src=x onerror="window.hacked=1"><script>window.hacked=2</script><base href=//evil.example>',
    '\u202egnp.exe\u2066\u200f\u200b',
    '=HYPERLINK("http://evil.example","x")',
    '\u0000\u0007\u001b[2J\r\n',
  ].join(' '),
  '10,000 letters': 'A'.repeat(10_000),
};

/** Texts that a program reads, not a person: names of states and currencies, numbers, times, links to the next page. */
const isToken = (name: string, text: string): boolean =>
  /^([a-z_.]+|[A-Z]{3}|-?\d+(\.\d+)?|\d{4}-\d\d-\d\dT.*Z)$/.test(text) || name === 'next' || name === 'code';

/** An answer with something hostile in every text that a person reads. */
function spoiled(value: unknown, name: string, text: string): unknown {
  if (typeof value === 'string') return isToken(name, value) ? value : value + text;
  if (Array.isArray(value)) return value.map((one) => spoiled(one, name, text));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, spoiled(one, key, text)]));
}

const isRead = ({ method, address }: Seen): boolean => method === 'GET' && /\/console\/api\/demo\/v1\//.test(address);

/** Something of every kind that screens show. */
async function fill(stack: ConsoleStack): Promise<void> {
  await stack.pay('A-1001', '10.00');
  await stack.pay('A-2-fault:reset-fault:query.server_error', '10.00');
  await stack.pay('A-3-fault:refund.reset', '10.00');
  const page = await stack.person(`/console/orders/${encodeURIComponent('A-3-fault:refund.reset')}`);
  await page.getByRole('button', { name: 'Refund' }).click();
  await page.getByLabel('Amount').press('Enter');
  await page.getByText('The gateway has not told what became of this').waitFor();
  await page.context().close();
}

/** The addresses of all screens: those that the navigation leads to, and orders and operations. */
async function screens(stack: ConsoleStack): Promise<string[]> {
  const page = await stack.person('/console');
  const named = await page
    .locator('nav a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
  await page.goto(`${stack.front.url}/console/orders/${encodeURIComponent('A-3-fault:refund.reset')}`);
  await page.getByRole('link', { name: 'Details' }).waitFor();
  const operation = await page.getByRole('link', { name: 'Details' }).getAttribute('href');
  await page.context().close();
  expect(named.length).toBeGreaterThan(3);
  const orders = ['A-1001', 'A-2-fault:reset-fault:query.server_error', 'A-3-fault:refund.reset'];
  return [...named, ...orders.map((one) => `/console/orders/${encodeURIComponent(one)}`), operation ?? ''];
}

/** What a page shows of the texts, and what they did to it. */
function lookAt(page: Page, text: string) {
  return page.evaluate(
    (begin) => {
      for (const details of document.querySelectorAll('details')) details.open = true;
      // A page isolates texts by U+2068 and U+2069 itself.
      const marks = /[\p{Cc}\u200b\u200f\u202a-\u202e\u2066\u2067]/u;
      return {
        hacked: 'hacked' in window,
        elements: document.querySelectorAll('main img, main script, base, main [onerror]').length,
        marks: marks.test(document.querySelector('.shell')?.textContent ?? ''),
        overflow: document.documentElement.scrollWidth - window.innerWidth,
        isShown: document.querySelector('main')?.textContent.includes(begin) ?? false,
      };
    },
    text.slice(0, 20),
  );
}

describe('texts on every screen', () => {
  it.each(Object.entries(hostile))('are harmless: %s', async (_name, text) => {
    const stack = await startConsoleStack({ config: { resolve: { first_ms: 600_000, max_ms: 600_000 } } });
    await fill(stack);
    const addresses = await screens(stack);
    stack.front.rewrite(isRead, (body) => JSON.stringify(spoiled(JSON.parse(body), '', text)));
    const { page, complaints } = await stack.open('/console', { viewport: phone });
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('Password').fill('ada’s');
    await page.keyboard.press('Enter');
    await page.locator('.shell').waitFor();
    complaints.length = 0;
    const shown: string[] = [];
    for (const address of addresses) {
      await page.goto(stack.front.url + address);
      await page.locator('main h1').waitFor();
      await page.waitForFunction(() => document.querySelector('main .waiting') === null);
      const { isShown, overflow, ...seen } = await lookAt(page, text);
      if (isShown) shown.push(address);
      expect([address, seen]).toEqual([address, { hacked: false, elements: 0, marks: false }]);
      expect([address, overflow <= 0]).toEqual([address, true]);
    }
    expect(complaints).toEqual([]);
    expect(shown.filter((address) => /orders\/|operations\//.test(address))).toHaveLength(4);
  });
});

it('no screen breaks the page’s own policy', async () => {
  const stack = await startConsoleStack({ config: { resolve: { first_ms: 600_000, max_ms: 600_000 } } });
  await fill(stack);
  const addresses = await screens(stack);
  const { page, complaints } = await stack.open('/console');
  await page.getByLabel('Name').fill('Ada');
  await page.getByLabel('Password').fill('ada’s');
  await page.keyboard.press('Enter');
  await page.locator('.shell').waitFor();
  // Nobody was signed in before, which browsers tell on their console.
  complaints.length = 0;
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective }) => console.error(violatedDirective));
  });
  for (const address of addresses) {
    await page.goto(stack.front.url + address);
    await page.locator('main h1').waitFor();
    await page.waitForFunction(() => document.querySelector('main .waiting') === null);
  }
  expect(complaints).toEqual([]);
});
