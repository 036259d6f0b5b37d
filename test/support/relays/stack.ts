import type { RequestListener } from 'node:http';
import type { Browser, BrowserContext, BrowserContextOptions, FrameLocator, Page, Request } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { sha256 } from '../../../relay/base/keys.ts';
import type { ConsolePage } from '../../../relay/console/page.ts';
import { createGateway } from '../../../sandbox/gateway/gateway.ts';
import { createShop, type ShopOptions } from '../../../sandbox/shop/shop.ts';
import { serve } from '../http/http-server.ts';
import { account, apiKey, otherAccountKey, startTestRelay } from './relay.ts';

export const desktop = { width: 1280, height: 900 };
export const phone = { width: 390, height: 844 };

/**
 * The maximum time that a page may take for anything: less than a test, since a test's timeout does not name the
 * missing element.
 */
const PAGE_TIMEOUT_MS = 120_000;

export type StackOptions = {
  /** The time limit for the gateway's answers; tests of timeouts use a short one. */
  timeoutMs?: number;
  lateMs?: number;
  /** Further settings of the relay. */
  config?: object;
  /** The relay's profile of the gateway, if it is not the default one. */
  profile?: Record<string, unknown>;
  /** Further settings of the shop's account. */
  account?: object;
  /** A second account, `other`, which the gateway also knows. */
  hasOther?: boolean;
  /** The console's page, if the settings contain people for it. */
  consolePage?: ConsolePage;
  /** A shop in place of the sandbox's. */
  createShop?(options: ShopOptions): { app: RequestListener };
};

const otherKey = { name: 'shop', sha256: sha256(otherAccountKey), scopes: ['*'] };
const other = { merchant_id: '100002', account_id: '200002', signing_secret: 'another secret' };

/** Sandbox gateway, relay and example shop, each on a separate port, for one test. */
export async function startStack(options: StackOptions = {}) {
  const { merchant_id, account_id, signingSecret } = account;
  const merchants = [{ merchant_id, account_id, signing_secret: signingSecret }, other];
  const gateway = createGateway({ merchants, publicUrl: () => gatewayServer.url, lateMs: options.lateMs ?? 300 });
  const gatewayServer = await serve(gateway.app);
  const shop = (options.createShop ?? createShop)({ relayUrl: () => relay.url, shopUrl: () => shopServer.url, apiKey });
  const shopServer = await serve(shop.app);
  const origins = [shopServer.url, shopServer.url.replace('127.0.0.1', 'localhost')];
  const relay = await startTestRelay({
    gatewayUrl: gatewayServer.url,
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
    ...(options.profile && { profile: options.profile }),
    ...(options.consolePage ? { consolePage: options.consolePage } : {}),
    config: {
      accounts: [
        {
          id: 'demo',
          merchant_id,
          account_id,
          signing_secret: signingSecret,
          name: 'Folha',
          allowed_origins: origins,
          return_urls: origins.map((origin) => `${origin}/`),
          api_keys: [{ name: 'shop', sha256: sha256(apiKey), scopes: ['*'] }],
          ...options.account,
        },
        ...(options.hasOther
          ? [{ id: 'other', ...other, name: 'Other shop', allowed_origins: origins, api_keys: [otherKey] }]
          : []),
      ],
      ...options.config,
    },
  });
  onTestFinished(async () => {
    await shopServer.close();
    await gatewayServer.close();
  });
  return { gateway, relay, shopUrl: shopServer.url, shopServer };
}

/** Complaints about a page: errors, warnings and policy violations on its console, and its requests. */
export type Watched = { page: Page; context: BrowserContext; complaints: string[]; requests: string[] };

/** Opens a new browser profile with one page, which is closed after the test. */
export async function openPage(
  browser: Browser,
  viewport = desktop,
  options: BrowserContextOptions = {},
): Promise<Watched> {
  const context = await newContext(browser, { viewport, ...options });
  const page = await context.newPage();
  const rest = followPage(page);
  onTestFinished(async () => {
    await rest();
    await context.close();
  });
  return watch(context, page);
}

async function newContext(browser: Browser, options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce', ...options });
  // A busy machine is slow, not wrong.
  context.setDefaultTimeout(PAGE_TIMEOUT_MS);
  return context;
}

function watch(context: BrowserContext, page: Page): Watched {
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  context.on('request', (request) => requests.push(`${request.method()} ${request.url()}`));
  return { page, context, complaints, requests };
}

/** Reconnects a page to the network and waits until its form is online. */
export async function backOnline(context: BrowserContext, form: FrameLocator | Page): Promise<void> {
  await context.setOffline(false);
  const button = form.locator('button[type=submit]');
  await expect.poll(() => button.evaluate(() => navigator.onLine)).toBe(true);
}

/** The form inside the shop's page. */
export function formIn(page: Page): FrameLocator {
  return page.frameLocator('turnpike-checkout iframe');
}

/** Fills a card into the form as soon as it is visible, which may be before its script runs. */
export async function typeCardEarly(form: FrameLocator | Page, number: string, code = '737'): Promise<void> {
  const texts = { 'cc-number': number, 'cc-exp': '1230', 'cc-csc': code, 'cc-name': 'Ada King Byron' };
  for (const [token, text] of Object.entries(texts)) await form.locator(`[autocomplete="${token}"]`).fill(text);
}

/** The same, and waits until the script has formatted the number in groups: from then on the form handles presses. */
export async function typeCard(form: FrameLocator | Page, number: string, code?: string): Promise<void> {
  await typeCardEarly(form, number, code);
  await expect.poll(() => form.locator('[autocomplete="cc-number"]').inputValue()).toMatch(/^\d{4} /);
}

/**
 * Stops the clock of a page, which goes on by itself after `clock.install`, a minute ahead: from now on its timers end
 * only as the test runs the clock.
 */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000);
}

/** Waits until the form's script runs and has polled its session: before that, a press of Enter or a button is lost. */
export async function alive(form: FrameLocator | Page): Promise<void> {
  await form.locator('html[data-looked]').waitFor({ state: 'attached' });
}

/**
 * Waits until the requests of a loaded document pass the routes of its page. Needed after the first `route` of a page
 * that is already open: Chromium confirms a route before the document uses it, and an immediate request evades it.
 */
export async function waitForRoutes(page: Page, document: FrameLocator | Page = page): Promise<void> {
  const probe = '/healthz?route';
  await page.route(`**${probe}`, (route) => route.fulfill({ body: 'routed' }));
  const answer = () => document.locator('html').evaluate(async (_, url) => (await fetch(url)).text(), probe);
  await expect.poll(answer).toBe('routed');
  await page.unroute(`**${probe}`);
}

/**
 * Waits until the shop's list has an event with this text. The shop's page receives an event a moment after the form
 * shows its cause.
 */
export async function waitForEvent(page: Page, text: string | RegExp): Promise<void> {
  await page.locator('#events li', { hasText: text }).first().waitFor();
}

/** The events that the shop's list has now, as `name {detail}` lines. */
export async function eventsOf(page: Page): Promise<string[]> {
  return page.locator('#events li').allTextContents();
}

/**
 * Tracks the navigations of a page. The returned function brings the page to rest: it disables scripts, stops
 * loading, and waits for a navigation that is being committed. Chromium may never finish closing a page during a
 * commit.
 */
function followPage(page: Page): () => Promise<void> {
  const going = new Set<Request>();
  const settled = new Set<() => void>();
  const settle = (change: () => void) => {
    change();
    if (!going.size) for (const done of settled) done();
  };
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) {
      going.clear();
      going.add(request);
    }
  });
  page.on('requestfailed', (request) => settle(() => going.delete(request)));
  page.on('framenavigated', (frame) => settle(() => frame === page.mainFrame() && going.clear()));
  page.on('close', () => settle(() => going.clear()));
  page.on('crash', () => settle(() => going.clear()));
  return async () => {
    if (page.isClosed()) return;
    const session = await page.context().newCDPSession(page);
    // A document that is being committed refuses these commands; the next one arrives in a moment.
    await session.send('Emulation.setScriptExecutionDisabled', { value: true }).catch(() => {});
    await session.send('Page.stopLoading').catch(() => {});
    if (going.size) await new Promise<void>((done) => settled.add(done));
  };
}
