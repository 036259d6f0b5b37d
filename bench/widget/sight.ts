import type { Browser } from 'puppeteer-core';
import { type Visit, visit } from './slow-phone.ts';
import type { Case, Stage } from './stage.ts';

/** When things came to be after the shop's page was asked for, in milliseconds, and how much moved meanwhile. */
export type Sight = { visibleMs: number; typableMs: number; shift: number; height: number };

/** Until all that the first page loads later has come too. */
const BETWEEN_VISITS_MS = 3000;

/** Opens a shop's page for the first time, and looks on. */
export function look(browser: Browser, stage: Stage, kind: Case): Promise<Sight> {
  return onPhone(browser, kind, false, (phone) => lookOn(phone, stage, kind));
}

/** Opens two pages of a shop, one after the other, with an order each. What may be cached is there the second time. */
export function lookTwice(browser: Browser, stage: Stage, kind: Case): Promise<{ first: Sight; second: Sight }> {
  return onPhone(browser, kind, true, async (phone) => {
    const first = await lookOn(phone, stage, kind);
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_VISITS_MS));
    return { first, second: await lookOn(phone, stage, kind) };
  });
}

/**
 * Visits with a new phone. Of several frames that come from the cache at once Chromium's inspector sometimes never hears of one: where
 * they are Adyen's the visits are made again.
 */
async function onPhone<Seen>(
  browser: Browser,
  kind: Case,
  cached: boolean,
  visitWith: (phone: Visit) => Promise<Seen>,
): Promise<Seen> {
  for (let tries = kind.form === 'adyen' ? 3 : 1; ; tries--) {
    const phone = await visit(browser, { cached });
    try {
      return await visitWith(phone);
    } catch (error) {
      if (tries === 1) throw error;
    } finally {
      await phone.close();
    }
  }
}

async function lookOn({ page, seen }: Visit, stage: Stage, kind: Case): Promise<Sight> {
  const { url, frameOrigin } = await stage.open(kind);
  await page.goto(url, { waitUntil: 'domcontentloaded' });
  await seen(frameOrigin, (form, host) => {
    const isTypable = kind.form === 'bare' || form.typable !== undefined;
    return isTypable && (form.payVisible ?? host.payVisible) !== undefined;
  });
  // What comes late must not move anything either.
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const { host, form, frame } = await seen(frameOrigin, () => true);
  const after = form.origin - host.origin;
  // Adyen's button is in the shop's own page.
  const visible = form.payVisible === undefined ? host.payVisible : after + form.payVisible;
  if (visible === undefined) throw new Error(`the pay button was never seen: ${kind.form}, ${kind.holding}`);
  if (kind.form === 'ours' && kind.holding === 'by script' && host.shown === undefined) {
    throw new Error('the page never showed its frame');
  }
  return {
    visibleMs: Math.max(visible, host.shown ?? 0),
    typableMs: after + (form.typable ?? Number.POSITIVE_INFINITY),
    shift: host.shift + form.shift,
    height: await frame.evaluate(() => window.innerHeight),
  };
}

/** How many times slower a frame runs than unhindered; the proof that it is hindered. */
export async function slowness(browser: Browser, stage: Stage): Promise<number> {
  const times: number[] = [];
  for (const throttled of [false, true]) {
    const { page, seen, close } = await visit(browser, { throttled });
    const { url, frameOrigin } = await stage.open({ form: 'bare', holding: 'in the page' });
    await page.goto(url);
    const { frame } = await seen(frameOrigin, ({ payVisible }) => payVisible !== undefined);
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
