import { describe, expect, it } from 'vitest';
import { cheapHash } from '../../../support/operators/console.ts';
import { startConsoleStack } from '../../../support/operators/console-stack.ts';
import { otherAccountKey } from '../../../support/relays/relay.ts';

const eve = { name: 'Eve', password: cheapHash('eve’s'), scopes: ['*'], accounts: ['demo', 'other'] };
const zoe = { name: 'Zoë', scopes: ['console'], accounts: ['demo'] };

describe('a person of two accounts', () => {
  it('sees one account’s orders at a time; the address names it', async () => {
    const stack = await startConsoleStack({ console: { people: [eve] } });
    await stack.pay('A-1001', '10.00');
    const { status } = await stack.relay.post('/v1/sessions', otherAccountKey, {
      order: { order_no: 'Z-9', amount: '20.00', currency: 'BRL' },
    });
    expect(status).toBe(201);
    const page = await stack.person('/console/orders', { name: 'Eve' });
    await page.getByRole('link', { name: 'A-1001' }).waitFor();
    await page.getByLabel('Account').selectOption('other');
    await page.getByRole('link', { name: 'Z-9' }).waitFor();
    expect(await page.getByRole('link', { name: 'A-1001' }).count()).toBe(0);
    expect(page.url()).toContain('/console/other/orders');
    await page.getByRole('link', { name: 'Z-9' }).click();
    await page.locator('.timeline').waitFor();
    await page.reload();
    await page.locator('.timeline').waitFor();
    expect(await page.getByLabel('Account').inputValue()).toBe('other');
    await page.goto(`${stack.front.url}/console/other/orders/A-1001`);
    await page.getByText('There is nothing with this number in this account.').waitFor();
    await page.goBack();
    await page.locator('.timeline').waitFor();
    for (const address of ['/console/third/orders/A-1001', '/console/orders/A-1001?account=third']) {
      await page.goto(`${stack.front.url}${address}`);
      await page.getByRole('heading', { name: /no access to the account .*third/ }).waitFor();
      expect(await page.locator('.timeline').count()).toBe(0);
    }
    await page.goto(`${stack.front.url}/console/orders/A-1001`);
    await page.getByRole('heading', { name: 'This address names no account. Choose one.' }).waitFor();
    await page.locator('main').getByRole('link').first().click();
    await page.locator('.timeline').waitFor();
    expect(page.url()).toContain('/console/demo/orders/A-1001');
    await page.getByLabel('Account').selectOption('demo');
    await page.getByRole('link', { name: 'A-1001' }).waitFor();
  });
});

describe('a proxy that signs people in', () => {
  const settings = { people: [zoe], trust_header: 'X-Remote-User' };
  const named = (name: string) => ({ 'X-Remote-User': Buffer.from(name).toString('latin1') });
  const config = { trust_proxy: ['127.0.0.1'] };

  it('signs in the person whom it names, and no other', async () => {
    const stack = await startConsoleStack({ config, console: settings });
    await stack.pay('A-1001', '10.00');
    const { page, context } = await stack.open('/console/orders', { extraHTTPHeaders: named('Zoë') });
    await page.getByRole('link', { name: 'A-1001' }).waitFor();
    expect(await page.locator('.person').innerText()).toContain('Zoë');
    stack.expireSignIns();
    await page.getByRole('link', { name: 'A-1001' }).click();
    await page.locator('.timeline').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    for (const name of ['', 'Mallory']) {
      await context.clearCookies();
      await context.setExtraHTTPHeaders(named(name));
      await page.goto(`${stack.front.url}/console/orders`);
      await page.getByLabel('Password').waitFor();
    }
  });
});
