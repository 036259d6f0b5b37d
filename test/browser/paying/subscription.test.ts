import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedChromium } from '../../support/browsers/chromium.ts';
import { openPage, phone, startStack, typeCard } from '../../support/relays/stack.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});

const subscription = {
  contract_name: 'Tea club',
  contract_amount: '50.00',
  interval: 'month',
  interval_count: '3',
  billing_cycle: 12,
  promotion_cycle: 2,
  contract_start: '2026-12-01',
  contract_end: '2029-12-01',
};

/** Opens a hosted checkout with these terms on a phone. */
async function open(locale: string) {
  const stack = await startStack();
  const session = await stack.relay.session({ order: { amount: '10.00', subscription }, locale });
  const { page, complaints } = await openPage(browser, phone);
  await page.goto(session.checkoutUrl);
  return { ...stack, session, page, complaints };
}

const spaces = (text: string): string => text.replace(/\s/g, ' ');

/** The text between the card's last field and the end of the button, as a shopper reads it. */
async function termsBy(page: Page): Promise<string[]> {
  const lines = await page.locator('.terms li').allTextContents();
  return lines.map(spaces);
}

describe('a shopper who subscribes', () => {
  it.each([
    [
      'en-GB',
      'Subscription: Tea club',
      'Pay R$10.00',
      [
        'You pay R$10.00 today',
        'R$50.00 every 3 months',
        '2 promotional periods',
        '12 payments',
        'From 1 December 2026',
        'Until 1 December 2029',
      ],
    ],
    [
      'es-419',
      'Suscripción: Tea club',
      'Pagar BRL 10.00',
      [
        'Pagas BRL 10.00 hoy',
        'BRL 50.00 cada 3 meses',
        '2 períodos promocionales',
        '12 pagos',
        'Desde el 1 de diciembre de 2026',
        'Hasta el 1 de diciembre de 2029',
      ],
    ],
  ])('reads the terms in %s beside the button before paying', async (locale, heading, pay, lines) => {
    const { page, gateway, complaints } = await open(locale);
    await page.getByRole('heading', { name: heading }).waitFor();
    expect(await termsBy(page)).toEqual(lines);
    const button = page.locator('button[type=submit]');
    expect(spaces((await button.textContent()) ?? '')).toBe(pay);
    expect(gateway.payments.list()).toEqual([]);

    // No field comes between the terms and the button, and both fit on the phone at once.
    const [terms, end] = [await page.locator('.terms').boundingBox(), await button.boundingBox()];
    const below = await page.locator('.terms ~ * input, .terms ~ * select').count();
    expect(below).toBe(0);
    expect((end?.y ?? 0) + (end?.height ?? 0) - (terms?.y ?? 0)).toBeLessThan(phone.height / 2);
    expect(await page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth)).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('sees the terms in the first paint, without JavaScript', async () => {
    const { relay, session } = await open('pt-BR');
    const { text } = await relay.get(`/checkout/${session.id}?locale=pt-BR`);
    expect(spaces(text)).toMatch(/R\$( |&nbsp;)50,00 a cada 3 meses/);
    expect(text).toContain('A partir de 1 de dezembro de 2026');
  });

  it('pays and gets the subscription that was shown', async () => {
    const { page, gateway, relay, session } = await open('en-GB');
    await typeCard(page, '4111 1111 1111 1111');
    await page.locator('button[type=submit]').click();
    await page.getByRole('heading', { name: /approved/i }).waitFor();
    const [contract] = gateway.books.contracts.list();
    expect(await relay.truth(session.id)).toMatchObject({ status: 'approved', recurring_id: contract?.recurring_id });
    expect(contract).toMatchObject({
      contract_name: 'Tea club',
      terms: { amount: '50.00', cycles: 12, promotionCycles: 2, interval: { unit: 'month', count: 3 } },
    });
  });
});
