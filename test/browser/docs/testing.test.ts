import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  approveAtIssuer,
  checkoutOn,
  declineAtIssuer,
  leaveIssuer,
  NothingCameOut,
  NotInTheForm,
  testCards,
} from '../../../testing/index.ts';
import { sharedChromium } from '../../support/browsers/chromium.ts';
import { startHost } from '../../support/browsers/host-page.ts';
import { openPage, phone, startStack } from '../../support/relays/stack.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});

const ada = { expiry: '12/30', securityCode: '737', name: 'Ada Byron' };
const pix = { type: 'apm', payment_method: 'PIX', label: 'Pix' };

/** A shop page with the checkout of a session. */
async function embed(body: object = {}) {
  const host = await startHost({ timeoutMs: 2000 });
  const session = await host.relay.session(body);
  const { page } = await openPage(browser, phone);
  const url = host.put({
    head: host.loader,
    body: `<turnpike-checkout session="${session.secret}"></turnpike-checkout>`,
  });
  return { ...host, session, page, url };
}

describe('the test kit on a page with the checkout', () => {
  it('fills in a card, pays, and reports a decline in any language', async () => {
    const pix = { type: 'apm', payment_method: 'PIX', label: 'Pix' };
    const { page, url, session, gateway } = await embed({ locale: 'pt-BR', payment_methods: [{ type: 'card' }, pix] });
    const checkout = checkoutOn(page);
    await page.goto(url);
    await checkout.fill({ ...ada, card: testCards.declined.number });
    expect(await checkout.pay()).toEqual({
      status: 'declined',
      advice: 'contact_bank',
      attempts_left: 4,
      // Without the button that offers to pay by Pix.
      told: expect.stringMatching(/banco.*\.$/),
    });
    await checkout.fill({ card: testCards.approved.number, securityCode: '737' });
    const transaction_id = () => gateway.payments.list()[1]?.transaction_id;
    const outcome = await checkout.pay();
    expect(outcome).toEqual({ status: 'approved', order_no: session.orderNo, transaction_id: transaction_id() });
  });

  it('names the fields with errors, and no typed value', async () => {
    const { page, url, gateway } = await embed({ collect: ['birth_date'] });
    await page.goto(url);
    const checkout = checkoutOn(page);
    await checkout.fill({ ...ada, card: '4111 1111 1111 1112', name: '', birthDate: '1985-13-10' });
    const outcome = await checkout.pay();
    expect(outcome).toEqual({
      status: 'refused',
      code: 'fields_invalid',
      told: '',
      fields: [
        { name: 'card', label: 'Card number', message: 'Check the card number' },
        { name: 'name', label: 'Name on card', message: 'Enter the name on your card' },
        // It is named once, although it has three inputs.
        { name: 'birth_date', label: 'Date of birth', message: expect.any(String) },
      ],
    });
    expect(gateway.payments.list()).toEqual([]);

    const missing = checkout.choose('Boleto');
    await expect(missing).rejects.toThrow(NotInTheForm);
    await expect(missing).rejects.toThrow('The form has no way to pay called Boleto');
    await expect(missing).rejects.toThrow('Card number: Check the card number');
    await expect(missing).rejects.not.toThrow(/4111|1112|737/);
    await expect(checkoutOn(page, { timeoutMs: 300 }).outcome()).rejects.toThrow(NothingCameOut);
    await expect(checkoutOn(page, { timeoutMs: 4000 }).chooseAnotherWay()).rejects.toThrow(NotInTheForm);
    await page.goto('about:blank');
    await expect(checkoutOn(page, { timeoutMs: 200 }).ready()).rejects.toMatchObject({ code: 'not_ready' });
  });

  it('waits for the outcome of a payment that is first unknown', async () => {
    const { page, url } = await embed();
    const checkout = checkoutOn(page);
    await page.goto(url);
    await checkout.fill({ ...ada, card: testCards.silent.number });
    // The form's polls are held until the test has seen that it waits.
    const seen = Promise.withResolvers<void>();
    await page.route('**/checkout/api/session', async (route) => {
      await seen.promise;
      await route.continue();
    });
    expect(await checkout.pay()).toEqual({ status: 'unknown' });
    expect((await checkout.shown()).heading).toBe('We are confirming your payment');
    seen.resolve();
    expect(await checkout.outcome()).toMatchObject({ status: 'approved' });
  });

  it('chooses a saved card in a shadow root; an app receives events', async () => {
    const saved = { token_id: 'tok_1', brand: 'Visa', last4: '4242', expiration_month: '12', expiration_year: '2030' };
    const installment_options = [{ installments: '1' }, { installments: '12', each: '12.00' }, { installments: '2' }];
    const { page, put, loader, session, gateway } = await embed({ saved_cards: [saved], installment_options });
    await page.addInitScript(() => {
      const messages: string[] = [];
      Object.assign(window, {
        messages,
        ReactNativeWebView: { postMessage: (text: string) => void messages.push(text) },
      });
    });
    const script = `document.querySelector('#in').attachShadow({ mode: 'open' }).innerHTML =
      '<turnpike-checkout session="${session.secret}"></turnpike-checkout>'`;
    await page.goto(put({ head: loader, body: `<div id="in"></div><script>${script}</script>` }));
    const checkout = checkoutOn(page);
    await checkout.useSavedCard('4242');
    await checkout.chooseInstallments(2);
    await checkout.fill({ securityCode: '737' });
    expect(await checkout.pay()).toMatchObject({ status: 'approved' });
    const sent = gateway.messages.list().find(({ operation }) => operation === 'direct_payment')?.request ?? '{}';
    expect(JSON.parse(sent)).toMatchObject({ token_id: 'tok_1', installments: '2' });
    expect(await page.evaluate(() => JSON.stringify(Reflect.get(window, 'messages')))).toContain('approved');
  });
});

/** The message that the gateway received from a method. */
function sentBy(gateway: Awaited<ReturnType<typeof embed>>['gateway'], operation: string): unknown {
  return JSON.parse(gateway.messages.list().find((message) => message.operation === operation)?.request ?? '{}');
}

const shopper = {
  ...ada,
  email: 'ada@example.com',
  phone: '+5511912345678',
  document: '529.982.247-25',
  birthDate: '1985-12-10',
  billing: { country: 'BR', postalCode: '01310-100', address: 'Av. Paulista 1000', city: 'São Paulo', state: 'SP' },
};

describe('the test kit in a form with many fields', () => {
  it('fills in every group in a right-to-left language, and keeps the card', async () => {
    const collect = ['email', 'phone', 'document', 'birth_date', 'billing_address', 'delivery_address'];
    const installment_options = ['1', '2', '3', '4', '6', '9', '12'].map((installments) => ({ installments }));
    const { page, url, gateway } = await embed({ locale: 'ar', collect, installment_options, save_card: 'ask' });
    await page.goto(url);
    const checkout = checkoutOn(page);
    const delivery = { firstName: 'Grace', lastName: 'Hopper', country: 'US', postalCode: '10001', state: 'NY' };
    await checkout.fill({
      ...shopper,
      card: testCards.approved.number,
      delivery: { ...delivery, address: '1 Main St', city: 'New York' },
    });
    await checkout.chooseInstallments(12);
    await checkout.saveCard();
    expect(await checkout.pay()).toMatchObject({ status: 'approved' });
    expect(sentBy(gateway, 'direct_payment')).toMatchObject({
      shopper_email: 'ada@example.com',
      shopper_phone: '+5511912345678',
      document: '52998224725',
      birth_date: '10-12-1985',
      billing_country: 'BR',
      billing_state: 'SP',
      delivery_firstname: 'Grace',
      delivery_country: 'US',
      delivery_postal_code: '10001',
      installments: '12',
      token_flag: '1',
    });
  });

  it('finds one method and bank among many and fills their fields', async () => {
    const methods = Array.from({ length: 30 }, (_, at) => ({
      type: 'apm',
      payment_method: `M${at}`,
      label: `Method ${at}`,
      banks: Array.from({ length: 60 }, (_, bank) => ({ code: `B${bank}`, name: `Bank of ${bank}` })),
      fields: ['person.social_name', 'person.address_city'],
    }));
    const { page, url, gateway } = await embed({ payment_methods: methods });
    await page.goto(url);
    const checkout = checkoutOn(page);
    await checkout.choose('Method 27');
    await checkout.chooseBank('Bank of 1');
    expect(await checkout.pay()).toMatchObject({
      status: 'refused',
      fields: [{ name: 'person.address_city', label: 'City' }],
    });
    await checkout.fill({ fields: { 'person.social_name': 'Ada', 'person.address_city': 'London' } });
    expect(await checkout.pay()).toEqual({ status: 'redirect' });
    await approveAtIssuer(page);
    const person = { social_name: 'Ada', address_city: 'London' };
    expect(sentBy(gateway, 'apm_payment')).toMatchObject({ payment_method: 'M27', bank_code: 'B1', person });
  });
});

describe('the test kit on the hosted page', () => {
  async function hosted(body: object = {}) {
    const { relay, gateway } = await startStack();
    const { page } = await openPage(browser, phone);
    const { checkoutUrl, id } = await relay.session({ payment_methods: [{ type: 'card' }, pix], ...body });
    const checkout = checkoutOn(page);
    await page.goto(checkoutUrl);
    return { relay, gateway, page, id, checkout, checkoutUrl };
  }
  const status = (gateway: Awaited<ReturnType<typeof hosted>>['gateway']) =>
    gateway.payments.list().map(({ state }) => state.status);

  it('leaves the issuer, is declined there, and pays by card', async () => {
    const { gateway, page, checkout, relay, id, checkoutUrl } = await hosted();
    await checkout.choose('PIX');
    await checkout.pay();
    await leaveIssuer(page);
    expect(await checkout.chooseAnotherWay()).toMatchObject({ status: 'not_paid' });
    await checkout.choose('PIX');
    expect(await checkout.pay()).toEqual({ status: 'redirect' });
    await declineAtIssuer(page);
    expect(status(gateway)).toEqual(['undecided', 'declined']);
    expect(page.url()).toContain(`/return/${id}`);
    // The record does not say which of the two was declined.
    relay.pass(60_000);
    expect(await relay.settled(id, 'redirected')).toMatchObject({ status: 'open' });
    await page.goto(checkoutUrl);
    // The event that it is not paid was sent too. It is no outcome of the present payment.
    await checkout.choose('card');
    await checkout.fill({ ...ada, card: testCards.approved.number });
    expect(await checkout.pay()).toMatchObject({ status: 'approved' });
    expect(status(gateway)).toEqual(['undecided', 'declined', 'approved']);
  });
});
