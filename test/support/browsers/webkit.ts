import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { freePort } from '../http/free-port.ts';
import { soon } from '../time/until.ts';
import { findWebKitDriver, findXvfb } from './find-webkit.ts';
import { selectorOf } from './selectors.ts';
import { slowDown } from './slow-down.ts';
import { WebDriver } from './webdriver.ts';

const START_MS = 90_000;
/** The maximum time that a page may take for anything. */
const WAIT_MS = 60_000;
const SCREEN = { width: 1280, height: 1024 };

/** The user's settings of a WebKit: arguments of WebKitGTK's MiniBrowser, the desktop theme, the window, and how many times slower it is. */
type WebKitSettings = {
  args?: readonly string[];
  dark?: boolean;
  early?: boolean;
  size?: { width: number; height: number };
  slower?: number;
};

/**
 * The only page of a WebKitGTK with these settings, for the tests of a file or a `describe`, which share its cookies,
 * caches and storage. With `early` it does not wait for pages to load.
 */
export function webKitWith(settings: WebKitSettings = {}): () => WebKitPage {
  const { args = [], dark = false, early = false, size = SCREEN, slower } = settings;
  let running: Running | undefined;
  let driver: WebDriver | undefined;
  let speedUp = () => {};
  beforeAll(async () => {
    running = await launch(dark);
    driver = await WebDriver.open(running.address, {
      pageLoadStrategy: early ? 'none' : 'normal',
      'webkitgtk:browserOptions': { args: ['--automation', ...args] },
    });
    await driver.resize(size.width, size.height);
    if (slower) speedUp = slowDown(running.group, slower);
  }, START_MS);
  afterAll(async () => {
    speedUp();
    await driver?.close();
    running?.stop();
  });
  return () => {
    if (!driver) throw new Error('WebKit has not started');
    return new WebKitPage(driver);
  };
}

/** A driver, and the group of its processes and its browsers'. */
type Running = { address: string; group: number; stop(): void };

/** Starts WebKit's driver, which starts browsers, on a virtual screen. */
async function launch(dark: boolean): Promise<Running> {
  const path = findWebKitDriver();
  const xvfb = findXvfb();
  if (!path || !xvfb) throw new Error('WebKit is missing: run npm test, which installs it or says how');
  const screen = spawn(xvfb, ['-displayfd', '3', '-screen', '0', `${SCREEN.width}x${SCREEN.height}x24`], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const display = screen.stdio[3];
  if (!display) throw new Error('the screen does not report its number');
  const [number] = await once(display, 'data');
  const home = mkdtempSync(join(tmpdir(), 'webkit-'));
  const port = await freePort();
  const driver = spawn(path, [`--port=${port}`], {
    stdio: 'ignore',
    // In a separate process group, with all browsers that it starts.
    detached: true,
    env: {
      ...process.env,
      DISPLAY: `:${String(number).trim()}`,
      LANG: 'en_US.UTF-8',
      GTK_THEME: dark ? 'Adwaita:dark' : 'Adwaita',
      // Independent of the desktop on which the tests may run, and without traces.
      DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere',
      GTK_USE_PORTAL: '0',
      XDG_CACHE_HOME: home,
      XDG_CONFIG_HOME: home,
      XDG_DATA_HOME: home,
      XDG_RUNTIME_DIR: home,
      // Without a graphics card it renders in software.
      WEBKIT_DISABLE_COMPOSITING_MODE: '1',
    },
  });
  const stop = () => {
    process.off('exit', stop);
    end(driver);
    screen.kill('SIGKILL');
  };
  process.on('exit', stop);
  const address = `http://127.0.0.1:${port}`;
  await soon('WebKit’s driver', async () => (await fetch(`${address}/status`)).ok || undefined, START_MS);
  if (!driver.pid) throw new Error('WebKit’s driver did not start');
  return { address, group: driver.pid, stop };
}

function end({ pid }: ChildProcess): void {
  try {
    if (pid) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}

/** A page and the form in one of its frames. On the hosted page the form is the page itself. */
class WebKitPage {
  readonly page: WebKitDocument;
  readonly form: WebKitDocument;
  readonly #driver: WebDriver;

  constructor(driver: WebDriver) {
    this.#driver = driver;
    this.page = new WebKitDocument(driver, false);
    this.form = new WebKitDocument(driver, true);
  }

  async goto(url: string): Promise<void> {
    await this.#top();
    await this.#driver.goto(url);
  }

  async back(): Promise<void> {
    await this.#top();
    await this.#driver.back();
  }

  async reload(): Promise<void> {
    await this.#top();
    await this.#driver.reload();
  }

  async url(): Promise<string> {
    await this.#top();
    return this.#driver.url();
  }

  /** Presses keys in the focused element; see `Key` for those that type no character. */
  async press(...keys: (string | readonly string[])[]): Promise<void> {
    await this.#top();
    await this.#driver.type(...keys);
  }

  /** Waits until the shop's page has received this result. */
  async waitForResult(status: string): Promise<void> {
    await this.page.waitForText(new RegExp(`"status":\\s?"${status}"`));
  }

  // An entered frame may have gone.
  #top(): Promise<void> {
    return this.#driver.enter(undefined);
  }
}

/** One document. Parts have the names of `selectorOf`. Each method waits for the element that it needs. */
export class WebKitDocument {
  readonly #driver: WebDriver;
  readonly #isFramed: boolean;

  constructor(driver: WebDriver, isFramed: boolean) {
    this.#driver = driver;
    this.#isFramed = isFramed;
  }

  /** Runs a function in the document and returns its result as JSON. The function can use only its arguments. */
  async evaluate<Args extends unknown[]>(run: (...args: Args) => unknown, ...args: Args): Promise<unknown> {
    await this.#enter();
    return this.#driver.evaluate(run, ...args);
  }

  /** Presses a part with the mouse, once it is visible. */
  async click(name: string): Promise<void> {
    await this.clickOn(selectorOf(name));
  }

  /** Presses the element of a selector, or the one with exactly this text. */
  async clickOn(selector: string, says = ''): Promise<void> {
    await soon(`${selector} ${says}`, async () => {
      await this.#enter();
      const found = await this.#driver.element(
        (selector, says) =>
          [...document.querySelectorAll(selector)].find((one) => !says || one.textContent.trim() === says),
        selector,
        says,
      );
      if (!found) return undefined;
      await this.#driver.click(found);
      return true;
    });
  }

  /** Presses a field and types into it. */
  async type(name: string, text: string): Promise<void> {
    await this.click(name);
    await this.#driver.type(text);
  }

  /** Types a card field by field, like a person. */
  async typeCard(number: string, code = '737'): Promise<void> {
    const texts = { 'cc-number': number, 'cc-exp': '1230', 'cc-csc': code, 'cc-name': 'Ada King Byron' };
    for (const [name, text] of Object.entries(texts)) await this.type(name, text);
  }

  /** The value of a field; undefined if the field does not exist. */
  async content(name: string): Promise<unknown> {
    return this.evaluate(
      (selector) => document.querySelector<HTMLInputElement>(selector)?.value ?? '',
      selectorOf(name),
    );
  }

  /** The autocomplete token, or else the text, of the focused element. */
  async focused(): Promise<unknown> {
    return this.evaluate(() => {
      const { activeElement } = document;
      return activeElement?.getAttribute('autocomplete') ?? activeElement?.textContent ?? '';
    });
  }

  /** Waits until the document shows this text. */
  async waitForText(text: RegExp): Promise<void> {
    // While it changes, it has none.
    const shown = () => this.evaluate(() => document.body.innerText).catch(() => '');
    await expect.poll(shown, { timeout: WAIT_MS }).toMatch(text);
  }

  async #enter(): Promise<void> {
    await this.#driver.enter(undefined);
    if (!this.#isFramed) return;
    const frame = await this.#driver.element(
      () =>
        document.querySelector('iframe') ??
        document.querySelector('turnpike-checkout')?.shadowRoot?.querySelector('iframe'),
    );
    if (!frame) throw new Error('there is no frame yet');
    await this.#driver.enter(frame);
  }
}
