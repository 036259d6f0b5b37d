import { join } from 'node:path';
import type { BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { type ConsolePage, loadConsolePage } from '../../../relay/console/page.ts';
import { testCards } from '../../../shared/card-data/test-cards.ts';
import { sharedChromium } from '../browsers/chromium.ts';
import { startFrontedStack } from '../http/front.ts';
import { webhookSecret } from '../http/receiver.ts';
import { apiKey, card, order } from '../relays/relay.ts';
import { openPage, type StackOptions, type Watched } from '../relays/stack.ts';
import { ada, bob } from './console.ts';

const MINUTE_MS = 60_000;

type ConsoleOptions = Omit<StackOptions, 'consolePage' | 'hasOther'> & {
  /** Further settings of the console. */
  console?: object;
  /** The address for webhooks; by default they are written and not received. `none`: the account has no webhooks. */
  webhookUrl?: string | 'none';
};

/** A person's browser at the console. The password is `<name in lower case>’s`. */
type Sitting = BrowserContextOptions & {
  name?: string;
  viewport?: { width: number; height: number };
};

/** The page that `npm run build` built. Throws if it is missing. */
function distConsole(): ConsolePage {
  const page = loadConsolePage(join(import.meta.dirname, '../../../dist/console'));
  if (!page) throw new Error('dist/console is missing: npm run build makes it');
  return page;
}

/**
 * Sandbox gateway, relay with its console and a proxy before it, whose `front` loses or changes what a test says. Ada
 * has every scope in the account `demo`; Bob has read access to `demo` and `other`.
 */
export async function startConsoleStack(options: ConsoleOptions = {}) {
  const { console: settings, webhookUrl = 'http://127.0.0.1:9/', config, account, ...rest } = options;
  const webhook = webhookUrl === 'none' ? {} : { webhook: { url: webhookUrl, secrets: [webhookSecret] } };
  const stack = await startFrontedStack({
    ...rest,
    hasOther: true,
    consolePage: distConsole(),
    account: { ...webhook, ...account },
    config: {
      webhooks: { allow_private: true },
      ...config,
      console: { people: [ada, bob], confirm_above: { BRL: '100.00' }, ...settings },
    },
  });
  const { relay, front } = stack;

  const visit = async ({ name: _, viewport, ...context }: Sitting): Promise<Watched> => {
    const browser = await sharedChromium();
    return openPage(browser, viewport, context);
  };

  const open = async (path: string, sitting: Sitting = {}): Promise<Watched> => {
    const watched = await visit(sitting);
    await watched.page.goto(front.url + path);
    return watched;
  };

  const signedIn = async (path: string, sitting: Sitting = {}): Promise<Watched> => {
    const watched = await visit(sitting);
    await signInBy(watched.context, sitting.name);
    await watched.page.goto(front.url + path);
    await watched.page.locator('.shell').waitFor();
    return watched;
  };

  /** Gives a browser the cookie of a sign-in, without opening a page. */
  const signInBy = async (context: BrowserContext, name = 'Ada'): Promise<void> => {
    const data = { name, password: passwordOf(name) };
    const answer = await context.request.post(`${front.url}/console/api/sign-in`, { data });
    expect(answer.status()).toBe(200);
  };

  return {
    ...stack,
    /** Opens an address of the console without a sign-in. */
    open,
    signedIn,
    /** Opens it with a person signed in; the default is Ada. */
    person: async (path: string, sitting: Sitting = {}): Promise<Page> => (await signedIn(path, sitting)).page,
    /** Ends every sign-in, as half an hour without a request does. */
    expireSignIns: () => relay.pass(31 * MINUTE_MS),
    /** Pays an order with an approved card, or the given one. */
    async pay(
      order_no: string,
      amount: string,
      { card = testCards.approved.number, ...more }: PaidBy = {},
    ): Promise<void> {
      const answer = await relay.post('/v1/payments', apiKey, {
        ...{ order_no, amount, currency: 'BRL', card, security_code: '123' },
        ...{ expiration_month: '12', expiration_year: '2039', ...more },
      });
      expect([200, 202, 504]).toContain(answer.status);
    },
    /** The relay's data about an order. */
    order: async (order_no: string) => (await relay.get(`/v1/orders/${encodeURIComponent(order_no)}`, apiKey)).body,
    /**
     * The idempotency key of each received request of this kind: browsers repeat some by themselves when a connection
     * is lost.
     */
    keys: (path: RegExp): unknown[] =>
      front.seen
        .filter(({ method, address }) => method === 'POST' && path.test(address))
        .map(({ headers }) => headers['idempotency-key']),
  };
}

type PaidBy = { card?: string; shopper_email?: string; currency?: string };

export type ConsoleStack = Awaited<ReturnType<typeof startConsoleStack>>;

const passwordOf = (name: string): string => `${name.toLowerCase()}’s`;

/** Fills in the sign-in form and waits for the console. */
export async function signInAt(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(passwordOf(name));
  await page.keyboard.press('Enter');
  await page.locator('.shell').waitFor();
}

/** Begins a contract with an order's payment. */
export async function subscribe({ relay }: ConsoleStack, order_no: string, terms: object = {}): Promise<void> {
  const subscription = { contract_name: 'Tea club', interval: 'month', contract_amount: '49.90', ...terms };
  const session = await relay.session({
    ...{ payment_methods: [{ type: 'card' }] },
    order: { ...order(), order_no, amount: '9.90', shopper_email: 'ada@example.com', subscription },
  });
  expect(await relay.pay(session.secret, card)).toMatchObject({ body: { status: 'approved' } });
}

/** The first dialog over the page. */
export const dialog = (page: Page): Locator => page.getByRole('dialog').first();

/** The value of an order's fact with this name. */
export const fact = (page: Page, name: string): Locator =>
  page.locator('.facts div', { hasText: name }).locator('dd').first();
