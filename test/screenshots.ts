import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { TYPEFACE } from '../gallery/shots.ts';
import { startStack } from '../sandbox/stack.ts';
import { chromiumFlags, findChromium } from './support/chromium.ts';

/** Takes the README's pictures of the real form in the example shop, into docs/. Run by `npm run screenshots`. */
const root = join(import.meta.dirname, '..');

const pictures = [
  { name: 'form-desktop', width: 1120, height: 740, query: '?locale=en-GB' },
  { name: 'form-phone', width: 390, height: 700, query: '?locale=pt-BR' },
  { name: 'form-phone-dark', width: 390, height: 700, query: '?locale=es-419&theme=dark' },
] as const;

await using running = new AsyncDisposableStack();
const stack = await startStack({
  env: { ...process.env, PORT_RELAY: '0', PORT_GATEWAY: '0', PORT_SHOP: '0' },
  root,
  relayEntry: 'relay/main.ts',
  dataDir: await mkdtemp(join(tmpdir(), 'turnpike-screenshots-')),
  errors: process.stderr,
});
running.defer(() => stack.stop());
const browser = await chromium.launch({ executablePath: findChromium() ?? 'chromium', args: chromiumFlags });
running.defer(() => browser.close());

for (const { name, width, height, query } of pictures) {
  const page = await browser.newPage({ viewport: { width, height }, deviceScaleFactor: 1.5, bypassCSP: true });
  await page.goto(`${stack.urls.shop}/${query}`);
  const form = page.frameLocator('turnpike-checkout iframe');
  await page.addStyleTag({ content: 'body { font-family: Inter, "Liberation Sans", Arial, sans-serif }' });
  await page.locator('#events', { hasText: 'ready' }).waitFor({ state: 'attached' });
  for (const frame of page.frames().slice(1)) await frame.addStyleTag({ content: TYPEFACE });
  await form.locator('[autocomplete="cc-number"]').fill('4111 1111 1111 1111');
  await form.locator('[autocomplete="cc-exp"]').fill('12/30');
  await form.locator('[autocomplete="cc-csc"]').focus();
  if (width < 600) await page.locator('turnpike-checkout').evaluate((form) => form.scrollIntoView({ block: 'center' }));
  await page.screenshot({ path: join(root, 'docs', `${name}.png`) });
  await page.close();
  console.log(`docs/${name}.png`);
}
