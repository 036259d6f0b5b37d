import puppeteer, {
  type Browser,
  type BrowserContext,
  type CDPSession,
  CDPSessionEvent,
  type Frame,
  type Page,
} from 'puppeteer-core';
import { chromiumFlags, findChromium } from '../../test/support/browsers/chromium.ts';

/** A slow phone, emulated by Chromium: its CPU is this many times slower. */
export const PHONE = {
  cpu: 4,
  viewport: { width: 412, height: 915 },
} as const;

/** Its network: bytes a second, and milliseconds added to each request. */
const NET = { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 750e3 / 8 };

/** Whether the phone is slowed down (the default), and whether it may use its cache. */
type PhoneOptions = { throttled?: boolean; cached?: boolean };

/** A page in a new profile: nothing is cached at first, and every process is new. */
export type Phone = {
  page: Page;
  context: BrowserContext;
  /** Waits until `done`, for 20 s at most. Returns the measurements of the page and of its frame of this origin. Throws without a frame. */
  observed(
    origin: string,
    done: (form: Observations, host: Observations) => boolean,
  ): Promise<{ host: Observations; form: Observations; frame: Frame }>;
  close(): Promise<void>;
};

const TIMEOUT_MS = 20_000;
const POLL_MS = 300;

/** Starts Chromium. Throws Error if it is not installed. */
export async function launchPhone(): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('Chromium is missing: run npm test, which installs it or says how');
  return puppeteer.launch({ executablePath, args: chromiumFlags });
}

/** Opens an empty page. Its frames, too, are slow from their first instruction. */
export async function openPhone(
  browser: Browser,
  { throttled = true, cached = false }: PhoneOptions = {},
): Promise<Phone> {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  await page.setViewport({ ...PHONE.viewport, isMobile: true, hasTouch: true });
  await page.evaluateOnNewDocument(observe);
  if (throttled) await slowDown(await page.createCDPSession(), cached);
  return {
    page,
    context,
    async observed(origin, done) {
      const end = Date.now() + TIMEOUT_MS;
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
        const frame = page.frames().find((frame) => frame.url().startsWith(`${origin}/`));
        const form = await frame?.evaluate(() => window.observations).catch(() => undefined);
        const host = await page.evaluate(() => window.observations);
        if (frame && form && host && (done(form, host) || Date.now() > end)) return { host, form, frame };
        if (Date.now() > end) throw new Error(`no form came from ${origin}`);
      }
    },
    close: () => context.close(),
  };
}

/** Slows down a page. A frame of another site has its own process, which waits at its first instruction until it is slowed down too. */
async function slowDown(session: CDPSession, cached: boolean): Promise<void> {
  session.on(CDPSessionEvent.SessionAttached, (child) => {
    // A frame may close before it has been slowed down.
    slowDown(child, cached).catch((error: unknown) => {
      if (!(error instanceof Error && error.name === 'TargetCloseError')) throw error;
    });
  });
  await Promise.all([
    session.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }),
    session.send('Emulation.setCPUThrottlingRate', { rate: PHONE.cpu }),
    session.send('Network.enable'),
    session.send('Network.setCacheDisabled', { cacheDisabled: !cached }),
    session.send('Network.emulateNetworkConditions', NET),
  ]);
  await session.send('Runtime.runIfWaitingForDebugger');
}

/** The measurements of a document. Times are in milliseconds since `origin`, which is in milliseconds since 1970. */
type Observations = {
  origin: number;
  /** When 98 % of the pay button was within the visible part of the window. */
  payVisible?: number;
  /** When the page showed a frame that was hidden at first. */
  shown?: number;
  /** When the card number's field got its listener. */
  typable?: number;
  /** The sum of the layout shifts without recent input. */
  shift: number;
};

declare global {
  interface Window {
    observations?: Observations;
  }
}

/** Runs in every document before its own scripts. Chromium gets only the source of this function, so it must not use anything outside. */
function observe(): void {
  const seen: Observations = { origin: performance.timeOrigin, shift: 0 };
  window.observations = seen;

  const visibility = new IntersectionObserver(
    (entries) => {
      const entry = entries.find(({ intersectionRatio }) => intersectionRatio >= 0.98);
      if (!entry) return;
      visibility.disconnect();
      seen.payVisible = entry.time;
    },
    { threshold: 0.98 },
  );
  const added = new MutationObserver(() => {
    const button = document.querySelector('button[type=submit], .adyen-checkout__button--pay');
    if (!button) return;
    added.disconnect();
    visibility.observe(button);
  });
  added.observe(document, { childList: true, subtree: true });

  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (this: Element, options) {
    const root = attach.call(this, options);
    const changes = new MutationObserver(() => {
      const frame = root.querySelector('iframe');
      if (!frame || getComputedStyle(frame).visibility !== 'visible') return;
      changes.disconnect();
      requestAnimationFrame((time) => (seen.shown ??= time));
    });
    changes.observe(root, { childList: true, subtree: true, attributeFilter: ['style'] });
    return root;
  };

  const listen = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function (this: EventTarget, ...args: Parameters<typeof listen>) {
    const isCard = this instanceof HTMLInputElement && this.autocomplete === 'cc-number';
    if (isCard && args[0] === 'input') seen.typable ??= performance.now();
    return listen.apply(this, args);
  };

  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if ('value' in entry && 'hadRecentInput' in entry && !entry.hadRecentInput) seen.shift += Number(entry.value);
    }
  }).observe({ type: 'layout-shift', buffered: true });
}
