import puppeteer, { type Browser, type ConsoleMessage, type Frame, type Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { desktop } from '../relays/stack.ts';
import { soon } from '../time/until.ts';
import { findFirefox } from './find-firefox.ts';
import { selectorOf } from './selectors.ts';

/** On a busy machine Firefox starts slowly. A Firefox that takes longer than this to stop is killed. */
const START_MS = 90_000;
const STOP_MS = 10_000;
/** The maximum time that a page may take for anything. */
const WAIT_MS = 60_000;

/** Background requests of Firefox itself, switched off: reports, updates, lists, connectivity checks. */
const quiet = {
  'app.normandy.enabled': false,
  'app.update.auto': false,
  'browser.aboutConfig.showWarning': false,
  'browser.ml.enable': false,
  'browser.region.update.enabled': false,
  'browser.topsites.contile.enabled': false,
  'datareporting.usage.uploadEnabled': false,
  // No process waits for a page that is never opened.
  'dom.ipc.processPrelaunch.enabled': false,
  'dom.push.connection.enabled': false,
  'extensions.systemAddon.update.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'network.dns.disablePrefetch': true,
  'network.prefetch-next': false,
  'toolkit.telemetry.enabled': false,
  'toolkit.telemetry.server': '',
  'toolkit.telemetry.unified': false,
};

type Settings = Readonly<Record<string, string | number | boolean>>;

/** A Firefox with a new profile and these settings (about:config), for the tests of a file or a `describe`. */
export function firefoxWith(settings: Settings): () => Browser {
  let running: Browser | undefined;
  beforeAll(async () => {
    running = await launchFirefox(settings);
  }, START_MS);
  afterAll(() => stopFirefox(running), 2 * STOP_MS);
  return () => {
    if (!running) throw new Error('Firefox has not started');
    return running;
  };
}

function launchFirefox(settings: Settings): Promise<Browser> {
  const executablePath = findFirefox();
  if (!executablePath) throw new Error('Firefox is missing: run npm test, which installs it or says how');
  return puppeteer.launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    defaultViewport: null,
    timeout: START_MS,
    extraPrefsFirefox: { ...quiet, ...settings },
  });
}

/** Ends a Firefox in any state. */
async function stopFirefox(browser: Browser | undefined): Promise<void> {
  const killing = setTimeout(() => browser?.process()?.kill('SIGKILL'), STOP_MS);
  await browser?.close().catch(() => undefined);
  clearTimeout(killing);
}

/** The activity of a page: errors, warnings, policy violations, and every requested address. */
type Watched = { page: Page; complaints: string[]; addresses: string[] };

/** Opens one page in a separate container (cookies, caches, storage), which is closed after the test. */
export async function openFirefoxPage(browser: Browser, viewport: typeof desktop = desktop): Promise<Watched> {
  const context = await browser.createBrowserContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.setViewport(viewport);
  await page.emulateLocale('en-GB');
  const complaints: string[] = [];
  const addresses: string[] = [];
  page.on('console', (message: ConsoleMessage) => {
    if (['error', 'warn'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => addresses.push(request.url()));
  // Firefox reports violations on a console that no driver reads.
  await page.evaluateOnNewDocument(() => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile }) =>
      console.error(`refused by ${effectiveDirective}: ${blockedURI} ${sourceFile}`),
    );
  });
  return { page, complaints, addresses };
}

/** The form inside a shop's page, once the frame exists. */
export async function frameIn(page: Page): Promise<Frame> {
  return soon('the form in its frame', async () => {
    // Its address is unknown until it has loaded, which takes as long as its script.
    const inner = page.frames().find((one) => one !== page.mainFrame());
    return (await inner?.$('#checkout h1')) ? inner : undefined;
  });
}

/** A part of the form by its name (see `selectorOf`), once it exists. */
export async function find(form: Frame | Page, name: string) {
  const selector = selectorOf(name);
  return soon(selector, () => form.$(selector));
}

/** Types a card field by field, like a person. */
export async function typeCard(form: Frame | Page, number: string, code = '737'): Promise<void> {
  const texts = { 'cc-number': number, 'cc-exp': '1230', 'cc-csc': code, 'cc-name': 'Ada King Byron' };
  for (const [name, text] of Object.entries(texts)) await (await find(form, name)).type(text);
}

/** Presses the first button or link with this text, anywhere in the page. */
export async function press(page: Page, says: string): Promise<void> {
  await (await soon(says, () => page.$(`::-p-text(${says})`))).click();
}

/** The value of a field. */
export async function contentOf(form: Frame | Page, name: string): Promise<string> {
  return (await find(form, name)).evaluate((input) => (input instanceof HTMLInputElement ? input.value : ''));
}

/** The autocomplete token, or else the text, of the focused element in a document. */
export function focused(form: Frame | Page): Promise<string> {
  return form.evaluate(() => {
    const { activeElement } = document;
    return activeElement?.getAttribute('autocomplete') ?? activeElement?.textContent ?? '';
  });
}

/** The lightness of the computed colour of a part: 0 is black, 1 white. */
export async function lightness(form: Frame, selector: string, property: 'color' | 'backgroundColor'): Promise<number> {
  const rgb = await form.$eval(selector, (element, name) => getComputedStyle(element)[name], property);
  const channels = (rgb.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);
  return channels.reduce((sum, channel) => sum + channel, 0) / channels.length / 255;
}

/** Waits until a document shows this text. */
export async function waitForText(form: Frame | Page, text: RegExp): Promise<void> {
  await expect.poll(() => textIn(form), { timeout: WAIT_MS }).toMatch(text);
}

/** Waits until the shop's page has received this result. */
export async function waitForResult(page: Page, status: string): Promise<void> {
  await waitForText(page, new RegExp(`"status":\\s?"${status}"`));
}

/** The visible text of a document; empty while it changes. */
function textIn(form: Frame | Page): Promise<string> {
  return form.evaluate(() => document.body.innerText).catch(() => '');
}
