import puppeteer, {
  type Browser,
  type BrowserContext,
  type CDPSession,
  CDPSessionEvent,
  type Frame,
  type Page,
} from 'puppeteer-core';
import { chromiumFlags, findChromium } from '../../test/support/browsers/chromium.ts';

/** A slow phone, as Chromium plays it. */
export const PHONE = {
  cpu: 4,
  viewport: { width: 412, height: 915 },
} as const;

/** Bytes a second, and milliseconds a request. */
const NET = { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 750e3 / 8 };

/** Whether a page is slowed down, and whether it may cache what it loads. */
type Manner = { throttled?: boolean; cached?: boolean };

/** A page in a profile of its own, so that nothing is cached at first and no process is warm. */
export type Visit = {
  page: Page;
  context: BrowserContext;
  /** What the frame of this origin and the page itself have seen, once `done` says so, or at the end of time. */
  seen(origin: string, done: (form: Seen, host: Seen) => boolean): Promise<{ host: Seen; form: Seen; frame: Frame }>;
  close(): Promise<void>;
};

const PATIENCE_MS = 20_000;
const LOOK_EVERY_MS = 300;

export async function launchPhone(): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('Chromium is missing: run npm test, which installs it or says how');
  return puppeteer.launch({ executablePath, args: chromiumFlags });
}

/** Opens an empty page whose frames, too, are slow from their first instruction on. */
export async function visit(browser: Browser, { throttled = true, cached = false }: Manner = {}): Promise<Visit> {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  await page.setViewport({ ...PHONE.viewport, isMobile: true, hasTouch: true });
  await page.evaluateOnNewDocument(watch);
  if (throttled) await slowDown(await page.createCDPSession(), cached);
  return {
    page,
    context,
    async seen(origin, done) {
      const end = Date.now() + PATIENCE_MS;
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
        const frame = page.frames().find((frame) => frame.url().startsWith(`${origin}/`));
        const form = await frame?.evaluate(() => window.seen).catch(() => undefined);
        const host = await page.evaluate(() => window.seen);
        if (frame && form && host && (done(form, host) || Date.now() > end)) return { host, form, frame };
        if (Date.now() > end) throw new Error(`no form came from ${origin}`);
      }
    },
    close: () => context.close(),
  };
}

/** A frame of another site is a target of its own, with a process of its own, which waits until it has been slowed down too. */
async function slowDown(session: CDPSession, cached: boolean): Promise<void> {
  session.on(CDPSessionEvent.SessionAttached, (child) => {
    // A frame may be gone again before it has been slowed down.
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

/** What a document of the page has seen of itself; times in its own milliseconds since `origin`, an epoch's. */
type Seen = {
  origin: number;
  /** Nearly all of the pay button is inside of what the window shows, its frame's edges included. */
  payVisible?: number;
  /** The page has shown a frame that it kept unseen at first. */
  shown?: number;
  /** The card number's field has somebody who listens to it. */
  typable?: number;
  /** Sum of the layout shifts that no input explains. */
  shift: number;
};

declare global {
  interface Window {
    seen?: Seen;
  }
}

/** Runs in every document before its own scripts. It may refer to nothing outside of itself. */
function watch(): void {
  const seen: Seen = { origin: performance.timeOrigin, shift: 0 };
  window.seen = seen;

  const sight = new IntersectionObserver(
    (entries) => {
      const entry = entries.find(({ intersectionRatio }) => intersectionRatio >= 0.98);
      if (!entry) return;
      sight.disconnect();
      seen.payVisible = entry.time;
    },
    { threshold: 0.98 },
  );
  const coming = new MutationObserver(() => {
    const button = document.querySelector('button[type=submit], .adyen-checkout__button--pay');
    if (!button) return;
    coming.disconnect();
    sight.observe(button);
  });
  coming.observe(document, { childList: true, subtree: true });

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
