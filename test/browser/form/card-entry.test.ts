import type { Browser, Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedChromium } from '../../support/browsers/chromium.ts';
import { alive, eventsOf, formIn, openPage, startStack, waitForEvent } from '../../support/relays/stack.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});

/** Opens the form in the shop's page, with its script running. */
async function openForm() {
  const { shopUrl } = await startStack();
  const { page, complaints } = await openPage(browser);
  await page.goto(shopUrl);
  await alive(formIn(page));
  const field = (token: string) => formIn(page).locator(`[autocomplete="${token}"]`);
  return {
    page,
    complaints,
    number: field('cc-number'),
    expiry: field('cc-exp'),
    code: field('cc-csc'),
    name: field('cc-name'),
    errors: formIn(page).locator('.error:not(:empty)'),
  };
}

/** The value of an input, with `|` at the caret or around the selection. */
function shown(input: Locator): Promise<string> {
  return input.evaluate((element: HTMLInputElement) => {
    const { value, selectionStart: start, selectionEnd: end } = element;
    const selected = start === end ? '' : `${value.slice(start ?? 0, end ?? 0)}|`;
    return `${value.slice(0, start ?? 0)}|${selected}${value.slice(end ?? 0)}`;
  });
}

/** Puts the caret after this many characters, or selects up to `end`. */
async function select(input: Locator, start: number, end = start): Promise<void> {
  await input.focus();
  await input.evaluate(
    (element: HTMLInputElement, [from, to]) => element.setSelectionRange(from ?? 0, to ?? 0),
    [start, end],
  );
}

/** Copies a text as a person does: from another input. */
async function copy(page: Page, from: Locator, text: string): Promise<void> {
  await from.fill(text);
  await from.selectText();
  await page.keyboard.press('Control+c');
}

/** Fills an input as a password manager does, which ignores input types. */
function fillIn(input: Locator, value: string, events: readonly string[]): Promise<void> {
  return input.evaluate(
    (element: HTMLInputElement, { value, events }) => {
      element.value = value;
      for (const event of events) element.dispatchEvent(new Event(event, { bubbles: true }));
    },
    { value, events },
  );
}

describe('the caret stays at the edited position', () => {
  it('in a number while typed, corrected, pasted into and deleted', async () => {
    const { page, number, name, complaints } = await openForm();
    await number.pressSequentially('411122223');
    expect(await shown(number)).toBe('4111 2222 3|');

    await select(number, 3);
    await page.keyboard.type('9');
    expect(await shown(number)).toBe('4119| 1222 23');
    await page.keyboard.type('8');
    expect(await shown(number)).toBe('4119 8|122 223');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Backspace');
    expect(await shown(number)).toBe('411|1 2222 3');

    await select(number, 5);
    await page.keyboard.press('Backspace');
    expect(await shown(number)).toBe('411|2 2223');
    await page.keyboard.type('1');
    await select(number, 4);
    await page.keyboard.press('Delete');
    expect(await shown(number)).toBe('4111| 2223');

    await select(number, 6, 8);
    await page.keyboard.type('7');
    expect(await shown(number)).toBe('4111 27|3');

    await copy(page, name, '55-66');
    await select(number, 2);
    await page.keyboard.press('Control+v');
    expect(await shown(number)).toBe('4155 66|11 273');
    await page.keyboard.press('Control+Backspace');
    expect(await shown(number)).toBe('4155| 1127 3');

    // A complete number is full: a further digit pushes no digit out.
    await number.fill('5555555555554444');
    await select(number, 7);
    await page.keyboard.type('9');
    expect(await shown(number)).toBe('5555 55|55 5555 4444');
    expect(complaints).toEqual([]);
  });

  it('in a date that is corrected, and after undone keys', async () => {
    const { page, expiry, number } = await openForm();
    await expiry.pressSequentially('1/');
    expect(await shown(expiry)).toBe('01 / |');
    await expiry.pressSequentially('2030');
    expect(await shown(expiry)).toBe('01 / 30|');
    await select(expiry, 5);
    await page.keyboard.press('Backspace');
    expect(await shown(expiry)).toBe('0| / 30');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('1');
    expect(await shown(expiry)).toBe('1| / 30');
    await page.keyboard.type('1');
    expect(await shown(expiry)).toBe('11| / 30');
    await page.keyboard.press('End');
    for (let press = 0; press < 3; press += 1) await page.keyboard.press('Backspace');
    expect(await shown(expiry)).toBe('1|');

    // An undone key never garbles the remaining text.
    await number.pressSequentially('411122');
    for (let press = 0; press < 2; press += 1) await page.keyboard.press('Control+z');
    expect(await shown(number)).toBe('4111 2|');
  });
});

describe('an input method', () => {
  it('composes full-width digits undisturbed, which then become a card number', async () => {
    const { page, number } = await openForm();
    await number.focus();
    const keyboard = await page.context().newCDPSession(page);
    for (const text of ['４', '４１', '４１１１１']) {
      await keyboard.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
      expect(await number.inputValue()).toBe(text);
    }
    await keyboard.send('Input.insertText', { text: '４１１１１' });
    expect(await shown(number)).toBe('4111 1|');
  });
});

describe('a password manager', () => {
  it('fills in all fields at once, in any order, with any events', async () => {
    const { page, number, expiry, code, errors } = await openForm();
    for (const [order, date, events] of [
      [['cc-number', 'cc-exp', 'cc-csc', 'cc-name'], '12/2030', ['input', 'change']],
      [['cc-name', 'cc-csc', 'cc-exp', 'cc-number'], '2030-12', ['input']],
      [['cc-csc', 'cc-number', 'cc-name', 'cc-exp'], '1230', ['change']],
    ] as const) {
      await page.reload();
      const values: Record<string, string> = {
        'cc-number': '378282246310005',
        'cc-exp': date,
        'cc-csc': '7373',
        'cc-name': 'Ada King Byron',
      };
      await alive(formIn(page));
      for (const token of order) {
        await fillIn(formIn(page).locator(`[autocomplete="${token}"]`), values[token] ?? '', events);
      }
      await waitForEvent(page, '"complete":true');
      expect(await number.inputValue()).toBe('3782 822463 10005');
      expect(await expiry.inputValue()).toBe('12 / 30');
      expect(await code.inputValue()).toBe('7373');
      expect(await errors.count()).toBe(0);
      expect((await eventsOf(page)).join('\n')).toContain('"brand":"amex"');
    }
  });
});

describe('an error', () => {
  it('is shown after blur, not while typing, and removed once corrected', async () => {
    const { page, number, errors } = await openForm();
    await number.pressSequentially('4111 1111 1111 1112');
    expect(await errors.count()).toBe(0);
    await page.keyboard.press('Tab');
    await errors.getByText('Check the card number').waitFor();
    await number.focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('1');
    await errors.waitFor({ state: 'detached' });
  });
});

it('draws the mark of a brand that the page first lacks', async () => {
  const { page, number } = await openForm();
  await number.fill('9792 0303 9444 0796');
  const drawing = formIn(page).locator('.mark use[href="#mark-troy"]');
  await expect.poll(async () => (await drawing.boundingBox())?.width).toBeGreaterThan(20);
});

it('draws the code’s place for a number from before the script', async () => {
  const { page, number } = await openForm();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/form/flow-*', async (route) => {
    await released;
    await route.continue();
  });
  await page.reload();
  await number.fill('3782 822463 10005');
  await number.blur();
  release();
  const drawing = formIn(page).locator('.mark use[href="#mark-front"]');
  await expect.poll(async () => (await drawing.boundingBox())?.width).toBeGreaterThan(20);
});
