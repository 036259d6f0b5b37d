import type { Browser, Frame, Page } from 'puppeteer-core';
import { visit } from './slow-phone.ts';
import type { Collectors, Stage } from './stage.ts';

/** How long each of the keys waited, and whether the fingerprint was taken meanwhile. */
export type Typed = { delays: number[]; takenMs: number | undefined };

/** Somebody reads a number off a card: four digits at a time. Published test number. */
const GROUPS = ['4111', '1111', '1111', '1111'];
const KEY_EVERY_MS = 130;
const GROUP_AFTER_MS = 900;

/** Types a card number `afterMs` after the form can be typed into, and goes on until the fingerprint is taken. */
export async function typeNumber(
  browser: Browser,
  stage: Stage,
  collectors: Collectors,
  afterMs: number,
): Promise<Typed> {
  const { page, seen, close } = await visit(browser);
  try {
    const { url, frameOrigin } = await stage.open({ form: 'ours', holding: 'in the page', collectors });
    await page.goto(url, { waitUntil: 'domcontentloaded' });
    const { frame, form } = await seen(frameOrigin, ({ typable }) => typable !== undefined);
    const field = await placeOf(page, frame, 'input[autocomplete=cc-number]');
    await new Promise((resolve) => setTimeout(resolve, afterMs));
    const sent: Promise<unknown>[] = [page.touchscreen.tap(field.x, field.y)];
    for (const group of GROUPS) {
      for (const key of group) {
        await new Promise((resolve) => setTimeout(resolve, KEY_EVERY_MS));
        // Fingers do not wait for the browser to have dealt with a key.
        sent.push(page.keyboard.press(key === '4' ? 'Digit4' : 'Digit1'));
      }
      await new Promise((resolve) => setTimeout(resolve, GROUP_AFTER_MS));
    }
    await Promise.all(sent);
    const { form: after } = await seen(frameOrigin, ({ takenAt }) => takenAt !== undefined);
    const short = GROUPS.join('').length - after.keyDelays.length;
    const takenMs = after.takenAt === undefined ? undefined : after.takenAt - (form.typable ?? 0);
    // A key that is not listed was dealt with and drawn within 16 ms.
    return { delays: [...after.keyDelays, ...Array.from({ length: Math.max(0, short) }, () => 0)], takenMs };
  } finally {
    await close();
  }
}

/** How long the form waited for the device after the button was pressed, and whether it got the fingerprint. */
export type Submitted = { waitMs: number; fingerprinted: boolean };

/** Fills the form at once and pays `afterMs` later, with a field open all the time: then most of the fingerprint is still to be taken. */
export async function submit(browser: Browser, stage: Stage, afterMs: number): Promise<Submitted> {
  const { page, seen, close } = await visit(browser);
  try {
    const { url, frameOrigin } = await stage.open({ form: 'ours', holding: 'in the page' });
    await page.goto(url, { waitUntil: 'domcontentloaded' });
    const { frame } = await seen(frameOrigin, ({ typable }) => typable !== undefined);
    await frame.evaluate(() => {
      const filled = { 'cc-number': '4111111111111111', 'cc-exp': '1230', 'cc-csc': '737', 'cc-name': 'Ada Byron' };
      for (const [token, value] of Object.entries(filled)) {
        const input = document.querySelector<HTMLInputElement>(`input[autocomplete=${token}]`);
        if (!input) throw new Error(`the form has no ${token}`);
        input.focus();
        input.value = value;
        input.dispatchEvent(new InputEvent('input', { bubbles: true }));
      }
    });
    await new Promise((resolve) => setTimeout(resolve, afterMs));
    const button = await placeOf(page, frame, 'button[type=submit]');
    await page.touchscreen.tap(button.x, button.y);
    const { form } = await seen(frameOrigin, ({ paidAt }) => paidAt !== undefined);
    return {
      waitMs: (form.paidAt ?? Number.POSITIVE_INFINITY) - (form.submittedAt ?? 0),
      fingerprinted: form.fingerprinted === true,
    };
  } finally {
    await close();
  }
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
