import type { Browser } from 'playwright-core';
import { beforeAll, expect } from 'vitest';
import { z } from 'zod';
import { checkoutOn } from '../../../testing/index.ts';
import { sharedChromium } from '../../support/browsers/chromium.ts';
import { runBlocks } from '../../support/docs/doc-blocks.ts';
import { readCurl } from '../../support/docs/doc-curl.ts';
import { startReader } from '../../support/docs/doc-reader.ts';
import { apiKey } from '../../support/relays/relay.ts';
import { phone } from '../../support/relays/stack.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});

const card = { card: '4111111111111111', expiry: '12/30', securityCode: '737', name: 'Ada King Byron' };
const message = z.record(z.string(), z.unknown());

/** Creates the session of a block and opens its hosted page on a phone. */
async function open(body: string) {
  const reader = await startReader(browser, { viewport: phone });
  const { relay, gateway, page } = reader;
  const made = await relay.post('/v1/sessions', apiKey, body);
  expect(made.status, made.text).toBe(201);
  const checkout = checkoutOn(page);
  await page.goto(String(made.body.checkout_url));
  await checkout.ready();
  return {
    ...reader,
    checkout,
    /** Pays and returns the message that the gateway received, masked. */
    async sent() {
      const { status } = await checkout.pay();
      expect(status).toMatch(/approved|redirect/);
      // Wait for the issuer's page: a page that is still navigating could not be closed.
      if (status === 'redirect') await page.waitForURL((url) => url.origin !== relay.url);
      const [paid] = gateway.messages.list().filter(({ operation }) => operation.endsWith('payment'));
      return message.parse(JSON.parse(paid?.request ?? ''));
    },
  };
}

runBlocks('docs/fields-and-methods.md', [
  {
    language: 'sh',
    says: 'curl',
    async run(code) {
      const body = JSON.stringify({ order: { order_no: 'F-0', currency: 'BRL', amount: '129.90' } });
      const { url, headers, ...posted } = readCurl(code, { TURNPIKE_API_KEY: apiKey }, { 'body.json': body });
      expect(new URL(url).origin).toBe('http://127.0.0.1:8080');
      const { relay } = await startReader(browser);
      const made = await relay.send(new URL(url).pathname, { method: 'POST', headers, body: posted.body });
      expect(made).toMatchObject({ status: 201, body: { order_no: 'F-0' } });
    },
  },
  {
    language: 'json',
    says: '"F-1"',
    async run(code) {
      const { page, checkout, sent } = await open(code);
      const labels = page.getByRole('group', { name: 'How would you like to pay?' }).getByRole('radio');
      expect(await labels.count()).toBe(3);
      expect(await page.getByRole('radio', { name: 'Card' }).isChecked()).toBe(true);
      await checkout.choose('Boleto');
      expect(await sent()).toMatchObject({ payment_method: 'BOLETO', amount: '129.90' });
    },
  },
  {
    language: 'json',
    says: '"F-2"',
    async run(code) {
      const { page, sent } = await open(code);
      await page.getByRole('combobox').selectOption('Itaú');
      expect(await sent()).toMatchObject({ payment_method: 'TRANSFER', bank_code: '341' });
    },
  },
  {
    language: 'json',
    says: '"F-3"',
    async run(code) {
      const { checkout, sent } = await open(code);
      await checkout.fill({
        document: '529.982.247-25',
        billing: { country: 'BR', postalCode: '01310100' },
        fields: { first_name: 'Ada', last_name: 'Byron', 'person.email': 'ada@example.com' },
      });
      expect(await sent()).toMatchObject({
        first_name: 'Ada',
        last_name: 'Byron',
        billing_country: 'BR',
        billing_postal_code: '01310-100',
        person: { document_number: '52998224725', email: 'ada@example.com' },
      });
    },
  },
  {
    language: 'json',
    says: '"F-4"',
    async run(code) {
      const { checkout, sent } = await open(code);
      await checkout.fill({
        ...card,
        email: 'ada@example.com',
        phone: '11961234567',
        document: '52998224725',
        birthDate: '1990-12-31',
        billing: {
          country: 'BR',
          postalCode: '01310100',
          state: 'SP',
          city: 'São Paulo',
          address: 'Av. Paulista, 1000',
        },
      });
      // As in the table.
      expect(await sent()).toMatchObject({
        shopper_email: 'ada@example.com',
        shopper_phone: '+5511961234567',
        document: '52998224725',
        birth_date: '31-12-1990',
        billing_country: 'BR',
        billing_state: 'SP',
        delivery_firstname: 'Ada King',
        delivery_lastname: 'Byron',
        delivery_country: 'BR',
        delivery_state: 'SP',
        delivery_city: 'São Paulo',
        delivery_address: 'Av. Paulista, 1000',
        delivery_postal_code: '01310-100',
      });
    },
  },
  {
    language: 'json',
    says: '"F-5"',
    async run(code) {
      const { order } = z.object({ order: message }).parse(JSON.parse(code));
      const { page, checkout, sent } = await open(code);
      expect(await page.locator('[autocomplete="email"]').inputValue()).toBe('ada@example.com');
      await checkout.fill(card);
      expect(await sent()).toMatchObject(order);
    },
  },
  {
    language: 'json',
    says: '"F-6"',
    async run(code) {
      const { page, checkout, sent } = await open(code);
      await page.getByText('Interest-free').first().waitFor();
      await checkout.chooseInstallments(12);
      await page.getByText('R$20.10 extra').first().waitFor();
      await checkout.fill(card);
      expect(await sent()).toMatchObject({ installments: '12', installments_id: 'plan-12', amount: '129.90' });
    },
  },
  {
    language: 'json',
    says: '"F-7"',
    async run(code) {
      const { page, checkout, sent } = await open(code);
      await page.getByText(/Expired 03/).waitFor();
      expect(await page.getByRole('radio', { name: /4242/ }).isChecked()).toBe(true);
      await checkout.fill({ securityCode: '737' });
      expect(await sent()).toMatchObject({ token_id: 'tok_1' });
    },
  },
  {
    language: 'json',
    says: '"F-8"',
    async run(code) {
      const { checkout, sent, page } = await open(code);
      expect(await page.getByLabel('Save this card for my next purchase').isChecked()).toBe(false);
      await checkout.fill(card);
      await checkout.saveCard();
      expect(await sent()).toMatchObject({ token_flag: '1' });
    },
  },
  {
    language: 'json',
    says: '"F-9"',
    async run(code) {
      const { page, sent, checkout } = await open(code);
      const terms = page.getByRole('heading', { name: 'Subscription: Tea club' }).locator('..');
      for (const text of ['R$49.90 every month', '12 payments', '1 promotional period', 'From 1 January 2027']) {
        await expect.poll(() => terms.innerText()).toContain(text);
      }
      await checkout.fill(card);
      expect(await sent()).toMatchObject({ subscription: { contract_name: 'Tea club', billing_cycle: 12 } });
    },
  },
  {
    language: 'json',
    says: '"F-10"',
    async run(code) {
      const { page, sent, checkout } = await open(code);
      const terms = page.getByRole('heading', { name: 'Subscription: Tea club' }).locator('..');
      for (const text of ['You pay nothing today', 'R$49.90 every month', 'From 1 February 2027']) {
        await expect.poll(() => terms.innerText()).toContain(text);
      }
      await page.getByRole('button', { name: 'Start free trial' }).waitFor();
      await checkout.fill(card);
      expect(await sent()).toMatchObject({ amount: '0.00', subscription: { contract_name: 'Tea club' } });
      await page.getByRole('heading', { name: 'Your free trial has started' }).waitFor();
    },
  },
]);
