import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { createClient } from '../client/index.ts';
import { servers } from '../examples/servers.ts';
import { TYPEFACE } from '../gallery/shots/shots.ts';
import { manyBanks } from '../gallery/states/fixtures.ts';
import { startStack } from '../sandbox/stack.ts';
import { launchChromium } from './support/browsers/chromium.ts';
import { type Shot, takeSheet } from './support/browsers/sheet.ts';
import { blocksOf } from './support/docs/doc-blocks.ts';
import { takeConsolePictures } from './support/operators/console-pictures.ts';

/**
 * Takes the pictures of the README and of docs/ from the running form and console, and writes them to docs/. Run by
 * `npm run screenshots`. Arguments are the names of the pictures to take; the default is all.
 */
const root = join(import.meta.dirname, '..');
const wanted = process.argv.slice(2);
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name);

const inTheShop = [
  { name: 'form-desktop', width: 1120, height: 740, query: '?locale=en-GB' },
  { name: 'form-phone', width: 390, height: 700, query: '?locale=pt-BR' },
  { name: 'form-phone-dark', width: 390, height: 700, query: '?locale=es-419&theme=dark' },
] as const;

await using running = new AsyncDisposableStack();
const stack = await startStack({
  env: { ...process.env, PORT_RELAY: '0', PORT_GATEWAY: '0', PORT_SHOP: '0', PORT_EXAMPLE: '0' },
  root,
  relayEntry: 'relay/main.ts',
  dataDir: await mkdtemp(join(tmpdir(), 'turnpike-screenshots-')),
  errors: process.stderr,
  monthFor: 'new_store',
  beside: { part: { name: 'example', variable: 'PORT_EXAMPLE', port: 0 }, title: 'web view', ...servers.webview },
});
running.defer(() => stack.stop());
const browser = await launchChromium();
running.defer(() => browser.close());

for (const { name, width, height, query } of inTheShop.filter((picture) => isWanted(picture.name))) {
  const page = await browser.newPage({
    viewport: { width, height },
    deviceScaleFactor: width > 600 ? 1 : 1.5,
    bypassCSP: true,
  });
  await page.goto(`${stack.urls.shop}/${query}`);
  const form = page.frameLocator('turnpike-checkout iframe');
  await page.addStyleTag({ content: 'body { font-family: Inter, "Liberation Sans", Arial, sans-serif }' });
  await form.locator('html[data-looked]').waitFor({ state: 'attached' });
  for (const frame of page.frames().slice(1)) await frame.addStyleTag({ content: TYPEFACE });
  await form.locator('[autocomplete="cc-number"]').fill('4111 1111 1111 1111');
  await form.locator('[autocomplete="cc-exp"]').fill('12/30');
  await form.locator('[autocomplete="cc-csc"]').focus();
  if (width < 600) await page.locator('turnpike-checkout').evaluate((form) => form.scrollIntoView({ block: 'center' }));
  await page.screenshot({ path: join(root, 'docs/pictures', `${name}.png`) });
  await page.close();
  console.log(`docs/pictures/${name}.png`);
}

const client = createClient({ url: stack.urls.relay, apiKey: stack.apiKey });
let orders = 0;

/** The page of a new session with the body of a block in docs/fields-and-methods.md, with these changes. */
async function pageOf(says: string, locale = 'en-GB', differs: object = {}): Promise<string> {
  const block = blocksOf('docs/fields-and-methods.md').find(({ code }) => code.includes(says));
  const { order, ...body } = { ...JSON.parse(block?.code ?? ''), ...differs };
  orders += 1;
  const made = await client.sessions.create({ ...body, order: { ...order, order_no: `P-${orders}` } });
  return made.checkout_url.replace('#', `?locale=${locale}#`);
}

const many = (labels: readonly string[]) => ({
  payment_methods: [
    { type: 'card' },
    ...labels.map((label) => ({ type: 'apm', payment_method: label.toUpperCase(), label })),
  ],
});
const wallets =
  'Pix,Boleto,PicPay,Mercado Pago,Ame,PayPal,Apple Pay,Google Pay,Nupay,PagBank,OXXO,SPEI,PSE,Efecty,Baloto,Webpay'
    .concat(',Khipu,Servipag,Rapipago,Pago Fácil,SafetyPay,PagoEfectivo,Yape,Plin,UPI,Klarna,iDEAL,Bizum,MB Way')
    .split(',');

const toTop = (selector: string) => (page: Page) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => window.scrollTo(0, element.getBoundingClientRect().top + window.scrollY - 16));

async function fillCard(page: Page): Promise<void> {
  await page.locator('[autocomplete="cc-number"]').fill('4111 1111 1111 1112');
  await page.locator('[autocomplete="cc-exp"]').fill('12/30');
  await page.locator('[autocomplete="cc-csc"]').focus();
}

type Shopper = { country: string; postalCode: string; phone: string; birthDate: readonly string[]; document?: string };

async function fillIn(page: Page, { country, postalCode, phone, birthDate, document }: Shopper): Promise<void> {
  await page.locator('[autocomplete="billing country"]').focus();
  await page.locator('[autocomplete="billing country"]').selectOption(country);
  await page.locator('[autocomplete="email"]').fill('ada@example.com');
  await page.locator('[autocomplete="tel"]').pressSequentially(phone);
  for (const [index, part] of ['day', 'month', 'year'].entries()) {
    await page.locator(`[autocomplete="bday-${part}"]`).fill(birthDate[index] ?? '');
  }
  if (document) await page.locator('[id="field-document"]').pressSequentially(document);
  await page.locator('[autocomplete="billing postal-code"]').fill(postalCode);
  await toTop('[autocomplete="cc-name"]')(page);
}

const birthDate = ['10', '12', '1985'];
const brazilian = { country: 'BR', postalCode: '01310-100', phone: '11961234567', birthDate, document: '52998224725' };
const american = { country: 'US', postalCode: '94103', phone: '4155552671', birthDate };
const japanese = { country: 'JP', postalCode: '100-0001', phone: '0312345678', birthDate };

const sheets: { name: string; scale?: number; shots(): Promise<Shot[]> }[] = [
  {
    name: 'fields',
    scale: 0.7,
    shots: async () => [
      { url: await pageOf('"F-4"', 'pt-BR'), prepare: (page) => fillIn(page, brazilian), height: 1000 },
      { url: await pageOf('"F-4"', 'en-US'), prepare: (page) => fillIn(page, american), height: 1000 },
      { url: await pageOf('"F-4"', 'en-GB'), prepare: (page) => fillIn(page, japanese), height: 1000 },
    ],
  },
  {
    name: 'methods',
    shots: async () => [
      { url: await pageOf('"F-1"', 'en-GB', many(wallets)), height: 620 },
      {
        url: await pageOf('"F-1"', 'en-GB', many(wallets)),
        height: 620,
        prepare: async (page) => {
          await page.getByText('More ways to pay').click();
          await page.getByLabel('Search ways to pay').fill('pag');
        },
      },
      {
        url: await pageOf('"F-2"', undefined, { payment_methods: [manyBanks] }),
        height: 620,
        prepare: (page) => page.getByRole('combobox').pressSequentially('b'),
      },
    ],
  },
  {
    name: 'cards',
    shots: async () => [
      { url: await pageOf('"F-7"'), height: 620 },
      {
        url: await pageOf('"F-6"'),
        height: 620,
        prepare: toTop('[name="installments"], [id="field-installments"]'),
      },
      { url: await pageOf('"F-9"'), height: 620, prepare: toTop('[autocomplete="cc-name"]') },
    ],
  },
  {
    name: 'hosted-page',
    scale: 0.66,
    shots: async () => {
      const items = [
        { name: 'Serra Verde, 100 g tin', code: 'T-1', price: '44.95', quantity: 2 },
        { name: 'Tea strainer', code: 'T-2', price: '30.00', quantity: 1 },
      ];
      const order = { ...{ items, item_total: '119.90', shipping: '10.00' }, currency: 'BRL', amount: '129.90' };
      const page = () => pageOf('"F-1"', 'en-GB', { order, ...many(['Pix']), return_url: `${stack.urls.shop}/thanks` });
      return [
        { url: await page(), width: 1120, height: 760 },
        { url: await page(), height: 760, dark: true },
      ];
    },
  },
  {
    name: 'locales',
    scale: 0.66,
    // Of the languages for which the machine of these pictures has fonts.
    shots: async () =>
      Promise.all(
        ['ar', 'de', 'ru', 'he', 'tr', 'vi'].map(async (locale) => ({
          url: await pageOf('"F-8"', locale),
          height: 560,
          prepare: fillCard,
        })),
      ),
  },
];

for (const { name, scale, shots } of sheets.filter((sheet) => isWanted(sheet.name))) {
  await takeSheet(browser, join(root, 'docs/pictures', `${name}.png`), await shots(), scale);
  console.log(`docs/pictures/${name}.png`);
}

const others: { name: string; url: string; width: number; height: number; prepare?(page: Page): Promise<unknown> }[] = [
  { name: 'test-cards', url: `${stack.urls.gateway}/cards`, width: 900, height: 720 },
  {
    name: 'web-view',
    url: stack.urls.beside ?? '',
    width: 900,
    height: 860,
    async prepare(page) {
      await page.getByRole('button').click();
      const form = page.frameLocator('iframe').frameLocator('iframe');
      await form.locator('html[data-looked]').waitFor();
      for (const frame of page.frames().slice(1)) await frame.addStyleTag({ content: TYPEFACE });
      await form.locator('[autocomplete="cc-number"]').fill('4111 1111 1111 1111');
      await form.locator('[autocomplete="cc-exp"]').fill('12/30');
      await form.locator('[autocomplete="cc-csc"]').fill('737');
      await form.locator('[autocomplete="cc-name"]').fill('Ada Byron');
      await form.locator('button[type=submit]').click();
      await page.locator('output', { hasText: 'approved' }).waitFor();
    },
  },
];

for (const { name, url, width, height, prepare } of others.filter((picture) => isWanted(picture.name))) {
  const page = await browser.newPage({ viewport: { width, height }, bypassCSP: true });
  await page.goto(url);
  await page.addStyleTag({ content: 'body { font-family: Inter, "Liberation Sans", Arial, sans-serif }' });
  await prepare?.(page);
  await page.screenshot({ path: join(root, 'docs/pictures', `${name}.png`) });
  await page.close();
  console.log(`docs/pictures/${name}.png`);
}

if (stack.password !== undefined) {
  // The relay restarts when its orders are complete.
  await stack.month;
  const sandbox = { relay: stack.urls.relay, password: stack.password };
  await takeConsolePictures(browser, sandbox, { folder: join(root, 'docs/pictures'), isWanted });
}
