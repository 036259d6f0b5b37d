import { type ConsoleStack, dialog } from './console-stack.ts';
import { keyboardOf } from './keyboard.ts';

/** Opens the console once and signs a person in, who then works with the keyboard alone. */
export async function personByKeyboard(stack: ConsoleStack, name: string) {
  const { page } = await stack.open('/console');
  const keyboard = keyboardOf(page);
  let tasks = 0;
  const { keys, write, press, toRow, hasFocus } = keyboard;
  await page.locator('input[name=name]:focus').waitFor();
  await write(name);
  await keys('Tab');
  await write(`${name.toLowerCase()}’s`);
  await keys('Enter');
  await page.locator('.shell').waitFor();

  /** Searches from the current page. */
  const search = async (text: string): Promise<void> => {
    await keys('/');
    await page.locator('input[type=search]:focus').waitFor();
    await write(text);
    await keys('Enter');
    await page.locator('main:focus h1', { hasText: text }).waitFor();
  };

  const isAt = (heading: string): Promise<void> => page.locator('h1', { hasText: heading }).waitFor();

  /** Waits for a text in a dialog and closes it. */
  const close = async (said: string): Promise<void> => {
    const box = dialog(page);
    await box.getByText(said).waitFor();
    await press('button', 'Close', box);
    await box.waitFor({ state: 'detached' });
  };

  return {
    ...keyboard,
    search,
    isAt,
    close,
    /** Makes the person do one task. An error names it. Afterwards an element of the page must have the focus. */
    async task(what: string, run: () => Promise<unknown>): Promise<void> {
      tasks++;
      try {
        await run();
        await hasFocus();
      } catch (cause) {
        throw new Error(`${name}’s task ${tasks}, ${what}: ${cause instanceof Error ? cause.message : cause}`, {
          cause,
        });
      }
    },
    /** Opens a page by the navigation. */
    goToPage: (title: string | RegExp): Promise<void> =>
      press('link', title, page.getByRole('navigation', { name: 'Main' })),
    /** Finds an order from the current page and opens it. */
    async openOrder(orderNo: string): Promise<void> {
      await search(orderNo);
      await toRow(orderNo);
      await keys('Enter');
      await page.waitForURL(/\/orders\//);
      await isAt(orderNo);
    },
    /** Opens a dialog, whose first field then has the focus. */
    async openDialog(button: string): Promise<void> {
      await press('button', button);
      await dialog(page).locator('input:focus').waitFor();
    },
    /** Submits a dialog from one of its fields, waits for a text, and closes it. */
    async send(said: string): Promise<void> {
      await keys('Enter');
      await close(said);
    },
  };
}

export type PersonByKeyboard = Awaited<ReturnType<typeof personByKeyboard>>;
