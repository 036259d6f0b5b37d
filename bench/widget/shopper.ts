import type { Browser, Frame, Page } from 'puppeteer-core';
import { visit } from './slow-phone.ts';
import type { Fingerprint, Stage } from './stage.ts';

/** How a shopper comes to press the button: on a slow phone or not, how long after the form can be typed into, and typing or not. */
export type Shopper = { slow: boolean; afterMs: number; types: boolean; fingerprint?: Fingerprint };

/**
 * What a payment showed: how long the form waited for the device once the button was pressed, whether it got the fingerprint,
 * when that was read after the form could be typed into, and how long each key waited.
 */
export type Payment = { waitMs: number; fingerprinted: boolean; readMs: number | undefined; keyDelays: number[] };

/** Published test number, in the groups in which somebody reads it off a card. */
const GROUPS = ['4111', '1111', '1111', '1111'];
const KEY_MS = [90, 250] as const;
const PAUSE_MS = [500, 1100] as const;

/** Opens the form, fills it, and presses the button. `seed` says in which rhythm is typed. */
export async function payAs(browser: Browser, stage: Stage, shopper: Shopper, seed: number): Promise<Payment> {
  const { page, seen, close } = await visit(browser, { throttled: shopper.slow });
  try {
    const { fingerprint = 'ours' } = shopper;
    const { url, frameOrigin } = await stage.open({ form: 'ours', holding: 'in the page', fingerprint });
    await page.goto(url, { waitUntil: 'domcontentloaded' });
    const { frame, form } = await seen(frameOrigin, ({ typable }) => typable !== undefined);
    const typable = form.typable ?? 0;
    const due = form.origin + typable + shopper.afterMs;
    const button = await placeOf(page, frame, 'button[type=submit]');
    if (!shopper.types) await fill(frame);
    const typed = shopper.types ? await typeUntil(due, page, frame, randomOf(seed)) : 0;
    await wait(due - Date.now());
    if (shopper.types) await fill(frame);
    await page.touchscreen.tap(button.x, button.y);
    const { form: paid } = await seen(frameOrigin, ({ paidAt }) => paidAt !== undefined);
    // A key that is not listed was dealt with and drawn within 16 ms.
    const unlisted = Array.from({ length: Math.max(0, typed - paid.keyDelays.length) }, () => 0);
    return {
      waitMs: (paid.paidAt ?? Number.POSITIVE_INFINITY) - (paid.submittedAt ?? 0),
      fingerprinted: paid.fingerprinted === true,
      readMs: paid.readAt === undefined ? undefined : paid.readAt - typable,
      keyDelays: [...paid.keyDelays, ...unlisted],
    };
  } finally {
    await close();
  }
}

/** Types a card number again and again, four digits at a time, and tells how many keys that were. */
async function typeUntil(end: number, page: Page, frame: Frame, random: () => number): Promise<number> {
  const between = ([least, most]: readonly [number, number]) => least + random() * (most - least);
  const { x, y } = await placeOf(page, frame, 'input[autocomplete=cc-number]');
  // Fingers do not wait for the browser to have dealt with a key.
  const sent: Promise<unknown>[] = [page.touchscreen.tap(x, y)];
  const waitBetween = (bounds: readonly [number, number]) => wait(Math.min(between(bounds), end - Date.now()));
  while (Date.now() < end) {
    for (const group of GROUPS) {
      for (const key of group) {
        await waitBetween(KEY_MS);
        if (Date.now() < end) sent.push(page.keyboard.press(key === '4' ? 'Digit4' : 'Digit1'));
      }
      await waitBetween(PAUSE_MS);
    }
  }
  await Promise.all(sent);
  return sent.length - 1;
}

/** Fills the form as a password manager does: no field has the focus. */
async function fill(frame: Frame): Promise<void> {
  await frame.evaluate(() => {
    const filled = { 'cc-number': '4111111111111111', 'cc-exp': '1230', 'cc-csc': '737', 'cc-name': 'Ada Byron' };
    for (const [token, value] of Object.entries(filled)) {
      const input = document.querySelector<HTMLInputElement>(`input[autocomplete=${token}]`);
      if (!input) throw new Error(`the form has no ${token}`);
      input.value = value;
      input.dispatchEvent(new InputEvent('input', { bubbles: true }));
    }
  });
}

async function placeOf(page: Page, frame: Frame, selector: string): Promise<{ x: number; y: number }> {
  const inside = await frame.$eval(selector, (element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x: x + width / 2, y: y + height / 2 };
  });
  const holder = await page.$eval('iframe', (element) => {
    const { x, y } = element.getBoundingClientRect();
    return { x, y };
  });
  return { x: inside.x + holder.x, y: inside.y + holder.y };
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
}

/** Numbers from 0 to 1 that look random, and are the same in each run (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
