import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { demoPerson } from '../../../sandbox/demo.ts';

type Picture = { name: string; path: string; prepare?(page: Page): Promise<unknown> };

const pictures: readonly Picture[] = [
  { name: 'console-needs-you', path: '/console' },
  { name: 'console-orders', path: '/console/orders' },
  {
    name: 'console-order',
    path: '/console/orders?status=paid',
    async prepare(page) {
      await page.locator('tbody tr', { hasText: 'Mastercard' }).first().getByRole('link').click();
      await page.getByRole('button', { name: 'Refund' }).click();
      await page.locator('dialog input:focus').fill('20');
    },
  },
  { name: 'console-figures', path: '/console/figures', prepare: (page) => page.locator('canvas').first().waitFor() },
];

/** Takes the pictures of the console with the given names, from a sandbox whose relay has orders, into a folder. */
export async function takeConsolePictures(
  browser: Browser,
  sandbox: { relay: string; password: string },
  { folder, isWanted }: { folder: string; isWanted: (name: string) => boolean },
): Promise<void> {
  for (const { name, path, prepare } of pictures.filter((one) => isWanted(one.name))) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 780 }, locale: 'en-GB' });
    await page.goto(sandbox.relay + path);
    await page.getByLabel('Name').fill(demoPerson);
    await page.getByLabel('Password').fill(sandbox.password);
    await page.keyboard.press('Enter');
    await page.locator('.shell main h1').waitFor();
    await page.locator('main .waiting').waitFor({ state: 'detached' });
    await prepare?.(page);
    await page.screenshot({ path: join(folder, `${name}.png`) });
    await page.close();
    console.log(`docs/pictures/${name}.png`);
  }
}
