import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import words from '../../../console/locales/en.json' with { type: 'json' };
import { added, isNothing } from '../../../console/parts/amount.ts';
import { loadConsolePage } from '../../../relay/console/page.ts';
import { type OrderWithTimeline, orderWithTimeline } from '../../../shared/api/order.ts';
import { formatMoney } from '../../../shared/checkout/money/money.ts';
import { sharedChromium } from '../browsers/chromium.ts';
import type { TestRelay } from '../relays/relay.ts';
import { openPage } from '../relays/stack.ts';
import { ada } from './console.ts';

/** The settings of a relay whose console Ada uses. */
export const seen = {
  config: { console: { people: [ada] } },
  consolePage: () => loadConsolePage(join(import.meta.dirname, '../../../dist/console')),
};

/** What a page of the console shows about an order. */
type Said = { status: string; facts: Record<string, string>; offered: string[] };

/** Ada's console, open all the time: the page of an order, and the list with its row. Both update by themselves. */
export async function openConsole(relay: TestRelay) {
  const { page, context } = await openPage(await sharedChromium());
  const signedIn = await context.request.post(`${relay.url}/console/api/sign-in`, {
    data: { name: 'Ada', password: 'ada’s' },
  });
  expect(signedIn.status()).toBe(200);
  const list = await context.newPage();
  await list.goto(`${relay.url}/console/demo/orders`);
  let shown: string | undefined;
  return {
    /** Expects both pages to show soon what the API returns about an order, which may change meanwhile. */
    async expectTruth(order_no: string, read: () => Promise<unknown>): Promise<void> {
      const current = async () => orderWithTimeline.parse(await read());
      if (shown !== order_no) await page.goto(`${relay.url}/console/demo/orders/${encodeURIComponent(order_no)}`);
      shown = order_no;
      const differing = async () => {
        const [said, truth] = [await saidOf(page), truthOf(await current())];
        return isDeepStrictEqual(said, truth) ? undefined : { said, truth };
      };
      await expect.poll(differing).toBeUndefined();
      const row = list.getByRole('row').filter({ has: list.getByRole('link', { name: order_no, exact: true }) });
      await expect.poll(() => row.locator('.state .badge').first().innerText()).toBe(statusText(await current()));
    },
  };
}

async function saidOf(page: Page): Promise<Said> {
  return page.evaluate(() => {
    const textOf = (element: Element | null | undefined): string => element?.textContent?.trim() ?? '';
    const pairs = [...document.querySelectorAll('.facts')]
      .slice(0, 1)
      .flatMap((facts) =>
        [...facts.querySelectorAll('div')].map((fact) => [
          textOf(fact.querySelector('dt')),
          textOf(fact.querySelector('dd')),
        ]),
      );
    const offered = [...document.querySelectorAll('.actions button')].map(textOf);
    return {
      status: textOf(document.querySelector('.heading .badge')),
      facts: Object.fromEntries(
        pairs.filter(([name]) => ['Amount', 'Captured', 'Refunded', 'Refundable'].includes(name ?? '')),
      ),
      offered: ['Refund', 'Capture'].filter((name) => offered.includes(name)),
    };
  });
}

const statusText = ({ status }: OrderWithTimeline): string =>
  ({ ...words.order_states, ...words.payment_statuses })[status];

/** What the pages must show: zero sums are omitted, and an action is offered if an amount is left for it. */
function truthOf(order: OrderWithTimeline): Said {
  const { currency, payments } = order;
  const money = (amount: string): string => formatMoney('en', currency, amount);
  const isAny = (amount: string): boolean => !isNothing(amount);
  const refunded = payments.map((one) => one.refunded).reduce(added, '0.00');
  return {
    status: statusText(order),
    facts: {
      Amount: money(order.amount),
      ...(isAny(order.captured) ? { Captured: money(order.captured) } : {}),
      ...(isAny(order.refunded) ? { Refunded: money(refunded) } : {}),
      ...(payments.length > 0 ? { Refundable: money(order.refundable) } : {}),
    },
    offered: [
      ...(payments.some(({ refundable }) => isAny(refundable)) ? ['Refund'] : []),
      ...(payments.some(({ capturable }) => isAny(capturable)) ? ['Capture'] : []),
    ],
  };
}
