import type { Browser } from 'puppeteer-core';
import type { FormCase, Servers } from './servers.ts';
import { openPhone, type Phone } from './slow-phone.ts';

/** Times in milliseconds since the request for the shop's page, the layout shift, and the height of the form's frame. */
export type LoadTimes = { visibleMs: number; typableMs: number; shift: number; height: number };

/** Time for the first page to load its deferred files. */
const BETWEEN_VISITS_MS = 3000;

/** Opens a shop's page with a new phone, and measures how the form loads. */
export function measureLoad(browser: Browser, servers: Servers, formCase: FormCase): Promise<LoadTimes> {
  return withPhone(browser, formCase, false, (phone) => loadPage(phone, servers, formCase));
}

/** Opens two pages of a shop with one phone, each with its own order. The second page can use the cache. */
export function measureSecondLoad(
  browser: Browser,
  servers: Servers,
  formCase: FormCase,
): Promise<{ first: LoadTimes; second: LoadTimes }> {
  return withPhone(browser, formCase, true, async (phone) => {
    const first = await loadPage(phone, servers, formCase);
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_VISITS_MS));
    return { first, second: await loadPage(phone, servers, formCase) };
  });
}

/**
 * Opens a new phone for some work. Chromium's inspector sometimes misses one of several frames that are loaded from the cache at the
 * same time; with Adyen's frames the work is therefore tried again.
 */
async function withPhone<Result>(
  browser: Browser,
  { form }: FormCase,
  cached: boolean,
  work: (phone: Phone) => Promise<Result>,
): Promise<Result> {
  for (let tries = form === 'adyen' ? 3 : 1; ; tries--) {
    const phone = await openPhone(browser, { cached });
    try {
      return await work(phone);
    } catch (error) {
      if (tries === 1) throw error;
    } finally {
      await phone.close();
    }
  }
}

async function loadPage({ page, observed }: Phone, servers: Servers, formCase: FormCase): Promise<LoadTimes> {
  const { url, frameOrigin } = await servers.newPage(formCase);
  await page.goto(url, { waitUntil: 'domcontentloaded' });
  await observed(frameOrigin, (form, host) => {
    const isTypable = formCase.form === 'bare' || form.typable !== undefined;
    return isTypable && (form.payVisible ?? host.payVisible) !== undefined;
  });
  // Waits for late layout shifts.
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const { host, form, frame } = await observed(frameOrigin, () => true);
  const after = form.origin - host.origin;
  // Adyen's pay button is in the shop's page, not in a frame.
  const visible = form.payVisible === undefined ? host.payVisible : after + form.payVisible;
  if (visible === undefined)
    throw new Error(`the pay button never became visible: ${formCase.form}, ${formCase.embedding}`);
  if (formCase.form === 'ours' && formCase.embedding === 'by script' && host.shown === undefined) {
    throw new Error('the page never showed its frame');
  }
  return {
    visibleMs: Math.max(visible, host.shown ?? 0),
    typableMs: after + (form.typable ?? Number.POSITIVE_INFINITY),
    shift: host.shift + form.shift,
    height: await frame.evaluate(() => window.innerHeight),
  };
}

/** Measures how many times slower a loop runs in a frame that is slowed down; it shows that the slowdown works. */
export async function measureSlowdown(browser: Browser, servers: Servers): Promise<number> {
  const times: number[] = [];
  for (const throttled of [false, true]) {
    const { page, observed, close } = await openPhone(browser, { throttled });
    const { url, frameOrigin } = await servers.newPage({ form: 'bare', embedding: 'in the page' });
    await page.goto(url);
    const { frame } = await observed(frameOrigin, ({ payVisible }) => payVisible !== undefined);
    times.push(
      await frame.evaluate(() => {
        const once = () => {
          const start = performance.now();
          let sum = 0;
          for (let at = 0; at < 1e7; at++) sum += at % 7;
          return sum > 0 ? performance.now() - start : 0;
        };
        return Math.min(...Array.from({ length: 8 }, once));
      }),
    );
    await close();
  }
  const [quick = 1, slow = 0] = times;
  return slow / quick;
}
