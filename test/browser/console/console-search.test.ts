import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { testCards } from '../../../shared/card-data/test-cards.ts';
import { axeFindings } from '../../support/browsers/axe.ts';
import { startConsoleStack, subscribe } from '../../support/operators/console-stack.ts';
import { apiKey } from '../../support/relays/relay.ts';

const refunded = 'Web-1300';

/** Orders of two shoppers in two currencies, a contract, and a refund. */
async function start() {
  const stack = await startConsoleStack();
  await stack.pay(refunded, '478.90', { shopper_email: 'ada@shop.example' });
  await stack.pay('web-2300', '478.90', { currency: 'USD' });
  await stack.pay('A-1', '10.00', { card: testCards.declined.number });
  await subscribe(stack, 'S-1');
  const { payments } = await stack.order(refunded);
  const [{ transaction_id }] = Array.isArray(payments) ? payments : [];
  const item = { order_no: refunded, currency: 'BRL', amount: '478.90', refund_amount: '5.00', transaction_id };
  const { headers } = await stack.relay.post('/v1/refund', apiKey, { refund_orders: [item] });
  return { ...stack, transaction: String(transaction_id), operation: headers.get('x-operation-id') ?? '' };
}

const hits = (page: Page) => page.locator('.hits .row-link');
const shown = (page: Page) => expect.poll(() => hits(page).allInnerTexts());

/** Searches from the current page with the keyboard alone. */
async function search(page: Page, text: string): Promise<void> {
  await page.keyboard.press('/');
  await page.locator('input[type=search]:focus').waitFor();
  await page.keyboard.insertText(text);
  await page.keyboard.press('Enter');
  // From then on the page receives key presses.
  await page.locator('main:focus h1', { hasText: text.trim().slice(-4) }).waitFor();
}

/** The page of the order is open and scrolled to its top. */
async function opensOrder(page: Page): Promise<void> {
  await page.waitForURL(/\/orders\/Web-1300$/);
  await page.locator('main:focus h1', { hasText: refunded }).waitFor();
}

describe('the search of the console', () => {
  it('finds everything from every screen with the keyboard alone', async () => {
    const { front, person, transaction, operation } = await start();
    const page = await person('/console/demo/audit', { viewport: { width: 1280, height: 800 } });
    await search(page, 'WEB-1300');
    await shown(page).toEqual([refunded]);
    expect(page.url()).toMatch(/\/console\/demo\/search\?q=WEB-1300$/);
    await page.locator('h2', { hasText: 'Orders' }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await opensOrder(page);

    await search(page, '300');
    await shown(page).toEqual(['web-2300', refunded]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.locator('.row-link:focus', { hasText: refunded }).waitFor();
    await page.keyboard.press('ArrowUp');
    await page.locator('.row-link:focus', { hasText: 'web-2300' }).waitFor();

    await search(page, transaction);
    await shown(page).toEqual([transaction]);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await opensOrder(page);
    await search(page, operation);
    await shown(page).toEqual([operation]);
    await search(page, 'ada@example.com');
    await expect.poll(() => page.locator('.found h2').allTextContents()).toEqual(['Orders 1', 'Subscriptions 1']);
    await page.goBack();
    await shown(page).toEqual([operation]);

    // No address contains the card number.
    await page.keyboard.press('/');
    await page.keyboard.insertText(testCards.declined.number);
    await page.keyboard.press('Enter');
    await shown(page).toEqual(['A-1']);
    await page.getByRole('link', { name: /All orders: Card ends with .0002/ }).click();
    await page.locator('.chip', { hasText: 'Card ends with 0002' }).waitFor();
    expect([page.url(), ...front.seen.map(({ address }) => address)].join()).not.toContain(testCards.declined.number);
  });

  it('names the searched text in Portuguese and is accessible', async () => {
    const { person } = await start();
    const sitting = { locale: 'pt-BR', bypassCSP: true, viewport: { width: 390, height: 800 } };
    const page = await person('/console/demo/webhooks', sitting);
    await search(page, 'R$478,90');
    await shown(page).toEqual([refunded]);
    await page.getByText('1 resultado', { exact: true }).waitFor();
    expect(await page.locator('.hits .how .second').innerText()).toBe('valor');
    await page.getByText(/Buscado como: .*; valor R\$\s478,90\./).waitFor();
    expect(await axeFindings(page)).toEqual([]);

    await search(page, '478,90');
    await shown(page).toEqual(['web-2300', refunded]);
    await search(page, 'nada-77');
    await page.getByText('Nada corresponde a').waitFor();
    await page.getByText(/Buscado como: número do pedido, .*ID da transação; ID do contrato\./).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await axeFindings(page)).toEqual([]);
  });
});
