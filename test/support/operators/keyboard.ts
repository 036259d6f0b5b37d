import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

const MAX_PRESSES = 120;

type Role = Parameters<Page['getByRole']>[0];
type Within = Page | Locator;

/**
 * Moves the focus to an element with Tab, or with Shift+Tab if the element precedes the focused one. Throws if it is
 * not reached.
 */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < MAX_PRESSES; presses++) {
    const place = await target.evaluate((element) => {
      const active = document.activeElement ?? document.body;
      if (active === element) return 'here';
      const isBefore = (active.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
      return isBefore && active !== document.body ? 'before' : 'behind';
    });
    if (place === 'here') return;
    await page.keyboard.press(place === 'before' ? 'Shift+Tab' : 'Tab');
  }
  throw new Error(`no way to ${target} by Tab`);
}

/** Waits until an element has the focus. */
export async function waitForFocus(target: Locator): Promise<void> {
  await expect.poll(() => target.evaluate((element) => element === document.activeElement)).toBe(true);
}

/** A person with a keyboard and no pointer. */
export function keyboardOf(page: Page) {
  const { keyboard } = page;
  const find = (role: Role, name: string | RegExp, within: Within): Locator =>
    within.getByRole(role, typeof name === 'string' ? { name, exact: true } : { name });
  const goTo = (role: Role, name: string | RegExp, within: Within = page): Promise<void> =>
    tabTo(page, find(role, name, within));
  return {
    page,
    /** Presses keys one after another. */
    async keys(...names: string[]): Promise<void> {
      for (const name of names) await keyboard.press(name);
    },
    /** Goes back with Alt and the left arrow in the page: a browser without a window handles no browser shortcuts. */
    async back(): Promise<void> {
      await page.goBack();
    },
    /** Types into the focused element. */
    write: (text: string): Promise<void> => keyboard.insertText(text),
    goTo,
    /** Moves to a button or a link and presses Enter. */
    async press(role: Role, name: string | RegExp, within: Within = page): Promise<void> {
      await goTo(role, name, within);
      await keyboard.press('Enter');
    },
    /** Moves to a field and replaces its value. */
    async fill(name: string | RegExp, text: string, within: Within = page): Promise<void> {
      await goTo('textbox', name, within);
      await keyboard.press('Control+A');
      await keyboard.insertText(text);
    },
    /** Moves to a select and down from its first option to another one. */
    async choose(name: string, option: string): Promise<void> {
      const select = find('combobox', name, page);
      await tabTo(page, select);
      await keyboard.press('Home');
      for (let presses = 0; presses < MAX_PRESSES; presses++) {
        if ((await select.locator('option:checked').innerText()) === option) return;
        await keyboard.press('ArrowDown');
      }
      throw new Error(`${name} has no option ${option}`);
    },
    /** Moves down the rows of a list until the link of one has the focus. */
    async toRow(name: string): Promise<void> {
      const row = page.locator('.row-link', { hasText: name });
      await row.waitFor();
      for (let presses = 0; presses < MAX_PRESSES; presses++) {
        await keyboard.press('j');
        if (await row.evaluate((element) => element === document.activeElement)) return;
      }
      throw new Error(`no way to the row ${name} by j`);
    },
    /** Waits until an element has the focus: without focus, a person starts again at the top of the page. */
    hasFocus: (): Promise<void> =>
      expect.poll(() => page.evaluate(() => document.activeElement !== document.body)).toBe(true),
  };
}
