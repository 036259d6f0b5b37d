import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedChromium } from '../../support/browsers/chromium.ts';
import { alive, openPage, phone, startStack, typeCard } from '../../support/relays/stack.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});

/** Opens a hosted form of a session and waits until typed values are kept and countries can be chosen. */
async function openForm(session: object, prepare: (page: Page) => Promise<unknown> = async () => {}) {
  const { gateway, relay } = await startStack();
  const { page, complaints, requests } = await openPage(browser, phone);
  await prepare(page);
  const { checkoutUrl } = await relay.session(session);
  await page.goto(checkoutUrl);
  await alive(page);
  const sent = () =>
    JSON.parse(gateway.messages.list().find(({ operation }) => /payment/.test(operation))?.request ?? '{}');
  return { page, complaints, requests, sent };
}

const scripts = (requests: readonly string[], name: string) =>
  requests.filter((line) => line.includes(`/form/${name}`));
const isFocused = (page: Page, id: string) =>
  expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe(id);

describe('a shopper on a phone', () => {
  it('types an address, moves it across countries, and pays with it', async () => {
    const { page, complaints, requests, sent } = await openForm({ collect: ['billing_address', 'delivery_address'] });
    const country = page.locator('[autocomplete="billing country"]');
    expect(await country.inputValue()).toBe('BR');
    await page.getByLabel('Postal code').pressSequentially('01310100');
    expect(await page.getByLabel('Postal code').inputValue()).toBe('01310-100');
    await page.getByLabel('City').fill('Springfield');
    await page.getByLabel('State').selectOption({ label: 'São Paulo' });

    await country.selectOption('US');
    await page.getByLabel('ZIP code').waitFor();
    expect(await page.getByLabel('State').inputValue()).toBe('');
    expect(await page.getByLabel('City').inputValue()).toBe('Springfield');

    await country.selectOption('JP');
    await page.getByLabel('Prefecture').selectOption('13');
    await page.getByLabel('Postal code').fill('1000001');
    await page.getByLabel('City').fill('Chiyoda');
    await page.getByLabel('Address', { exact: true }).fill('1-1 Chiyoda');
    await typeCard(page, '4111111111111111');
    await page.locator('button[type=submit]').click();
    await page.getByRole('heading', { name: 'Payment approved' }).waitFor();
    for (const address of ['billing', 'delivery']) {
      expect(sent()).toMatchObject({
        [`${address}_country`]: 'JP',
        [`${address}_state`]: '13',
        [`${address}_city`]: 'Chiyoda',
        [`${address}_address`]: '1-1 Chiyoda',
        [`${address}_postal_code`]: '100-0001',
      });
    }
    expect(sent()).toMatchObject({ delivery_firstname: 'Ada King', delivery_lastname: 'Byron' });
    expect(scripts(requests, 'libphonenumber')).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('types phone, birth date and document; loads only Brazil’s number data', async () => {
    const { promise, resolve: release } = Promise.withResolvers<void>();
    const { page, complaints, requests, sent } = await openForm(
      { collect: ['email', 'phone', 'birth_date', 'document'], locale: 'pt-BR' },
      (page) =>
        page.context().route('**/form/libphonenumber-*', async (route) => {
          await promise;
          await route.continue();
        }),
    );
    await page.locator('[autocomplete="email"]').pressSequentially('ada@gmial.com');
    const number = page.locator('[autocomplete="tel"]');
    await expect.poll(() => scripts(requests, 'libphonenumber').length).toBe(1);
    await number.click();
    await page.getByRole('button', { name: 'ada@gmail.com' }).click();
    await isFocused(page, 'field-shopper_email');
    await number.pressSequentially('1196123456');
    expect(await number.inputValue()).toBe('1196123456');
    release();
    await expect.poll(() => number.inputValue()).toBe('(11) 96123-456');
    await page.keyboard.type('7');
    expect(await number.inputValue()).toBe('(11) 96123-4567');
    await page.locator('[id="field-birth_date"]').click();
    await page.keyboard.type('01021990');
    expect(await page.locator('[autocomplete="bday-year"]').inputValue()).toBe('1990');
    await page.locator('[id="field-document"]').pressSequentially('52998224725');
    await typeCard(page, '4111111111111111');
    await page.locator('button[type=submit]').click();
    await page.locator('.outcome.good').waitFor();
    expect(sent()).toMatchObject({
      shopper_email: 'ada@gmail.com',
      shopper_phone: '+5511961234567',
      birth_date: '01-02-1990',
      document: '52998224725',
    });
    expect(scripts(requests, '').filter((line) => /phone-zone-/.test(line)).length).toBe(1);
    expect(complaints).toEqual([]);
  });

  it('uploads a photograph that is too large, which is scaled down', async () => {
    const apm = {
      type: 'apm',
      payment_method: 'DOC',
      label: 'With a document',
      fields: ['person.documents.file_data', 'person.documents.file_type'],
    };
    const { page, complaints, sent } = await openForm({ payment_methods: [apm] });
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'identity.bmp', mimeType: 'image/bmp', buffer: photograph(1600, 1200) });
    await page.getByText(/identity\.bmp, \d+ kB/).waitFor();
    await page.locator('button[type=submit]').click();
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    const { file_data, file_type } = sent().person.documents;
    expect(file_type).toBe('image/jpeg');
    expect(file_data.length).toBeLessThan(1_000_000);
    expect(Buffer.from(file_data, 'base64').subarray(0, 3).toString('hex')).toBe('ffd8ff');
    expect(complaints).toEqual([]);
  });

  it('returns to a field that only the checkout server can refuse', async () => {
    const { page, sent } = await openForm({ collect: ['phone', 'email'] }, (page) =>
      page.context().route('**/form/libphonenumber-*', (route) => route.abort()),
    );
    await page.locator('[autocomplete="tel"]').fill('1196123');
    await page.locator('[autocomplete="email"]').fill('ada@example.com');
    await typeCard(page, '4111111111111111');
    await page.locator('button[type=submit]').click();
    await page.locator('[autocomplete="tel"][aria-invalid="true"]').waitFor();
    await isFocused(page, 'field-shopper_phone');
    expect(await page.locator('[id="error-shopper_phone"]').textContent()).not.toBe('');
    expect(sent()).toEqual({});
    await page.locator('[autocomplete="tel"]').fill('11961234567');
    await page.locator('button[type=submit]').click();
    await page.getByRole('heading', { name: 'Payment approved' }).waitFor();
    expect(sent()).toMatchObject({ shopper_phone: '+5511961234567' });
  });
});

/** A bitmap with a plain colour gradient, of several megabytes like a phone's photograph. */
function photograph(width: number, height: number): Buffer {
  const header = Buffer.alloc(54);
  const pixels = Buffer.alloc(width * height * 3, Buffer.from([40, 120, 200, 41, 121, 201]));
  header.write('BM');
  header.writeUInt32LE(header.length + pixels.length, 2);
  header.writeUInt32LE(header.length, 10);
  header.writeUInt32LE(40, 14);
  header.writeInt32LE(width, 18);
  header.writeInt32LE(height, 22);
  header.writeUInt16LE(1, 26);
  header.writeUInt16LE(24, 28);
  header.writeUInt32LE(pixels.length, 34);
  return Buffer.concat([header, pixels]);
}
