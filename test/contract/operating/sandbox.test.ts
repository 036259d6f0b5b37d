import { describe, expect, it } from 'vitest';
import { act, type PaymentActionName } from '../../../sandbox/gateway/admin/payment-actions.ts';
import { chargeBack } from '../../../sandbox/gateway/books/payments.ts';
import { relayProfile } from '../../../sandbox/relay-config.ts';
import { expired, mistyped, testCards } from '../../../shared/card-data/test-cards.ts';
import { startReceiver, withReceiver } from '../../support/http/receiver.ts';
import { apiKey, card } from '../../support/relays/relay.ts';
import { startStack } from '../../support/relays/stack.ts';

/** An absent payment is found to be absent soon, not only after the default quarter of an hour. */
const impatient = { resolve: { first_ms: 100, max_ms: 200, absent_ms: 500 } };

describe('relay and sandbox gateway', () => {
  for (const [name, { number, title, outcome }] of Object.entries(testCards)) {
    it(`agree about the test card "${title}", as its page states`, async () => {
      const { gateway, relay } = await startStack({
        ...{ timeoutMs: 4000, lateMs: 200 },
        ...{ config: impatient, profile: relayProfile },
      });
      const { secret, id } = await relay.session();
      const { body } = await relay.pay(secret, { ...card, card: number });
      expect(body.status).toBe(outcome.status);
      const [payment] = gateway.payments.list();
      const transaction_id = payment?.transaction_id;
      switch (outcome.status) {
        case 'approved':
          expect(body).toMatchObject({ card: expect.stringMatching(/^\d{6}\*+\d{4}$/), transaction_id });
          expect(await relay.truth(id)).toMatchObject({ status: 'approved', result: { code: '0000' } });
          break;
        case 'declined': {
          const { code, message, advice } = outcome;
          expect(body).toMatchObject({ result: { code, message }, advice });
          expect(await relay.truth(id)).toMatchObject({ status: 'open' });
          break;
        }
        case 'pending':
          expect(await relay.truth(id)).toMatchObject({ status: 'pending', pending: { transaction_id } });
          break;
        case 'unknown':
          expect(await relay.settled(id, 'unknown')).toMatchObject({ status: outcome.settles });
          break;
      }
      expect(gateway.payments.list()).toHaveLength(name === 'failing' ? 0 : 1);
    });
  }

  it('agree about an expired card and about an invalid number', async () => {
    const { relay } = await startStack();
    const declined = async (change: object) => {
      const { secret } = await relay.session();
      return (await relay.pay(secret, { ...card, ...change })).body;
    };
    for (const [change, { status, code, message, advice }] of [
      [{ expiration_year: '2020' }, expired.outcome],
      [{ card: '4111111111111112' }, mistyped.outcome],
    ] as const) {
      expect(await declined(change)).toMatchObject({ status, result: { code, message }, advice });
    }
  });

  it('agree about an APM payment that a person approves', async () => {
    const { gateway, relay } = await startStack();
    const pix = { type: 'apm', payment_method: 'PIX', label: 'Pix' };
    const { secret, id } = await relay.session({ payment_methods: [pix] });
    const { redirect_url } = (await relay.pay(secret, { payment_method: 'PIX' })).body;
    const way = await relay.get(String(redirect_url).slice(relay.url.length));
    const issuer = way.headers.get('location') ?? '';
    const page = await (await fetch(issuer)).text();
    const action = /<form[^>]*action="([^"]+)"/.exec(page)?.[1] ?? '';
    const [, name = '', value = ''] = /<button[^>]*name="([^"]+)"[^>]*value="(approve)"/.exec(page) ?? [];
    const decided = await fetch(new URL(action, issuer), {
      method: 'POST',
      body: new URLSearchParams({ [name]: value }),
      redirect: 'manual',
    });
    expect(decided.headers.get('location')).toBe(`${relay.url}/return/${id}`);
    await relay.get(`/return/${id}`);
    expect(await relay.truth(id)).toMatchObject({ status: 'approved' });
    expect(gateway.payments.list()).toMatchObject([{ state: { status: 'approved' } }]);
  });

  it('agree about a complete subscription, whose recurring_id reaches the session', async () => {
    const { relay } = await startStack();
    const subscription = {
      contract: '1',
      contract_name: 'Tea club',
      contract_amount: '10.00',
      interval: 'month',
      billing_cycle: 12,
    };
    const { secret, id } = await relay.session({ order: { subscription } });
    await relay.pay(secret, card);
    expect(await relay.truth(id)).toMatchObject({ status: 'approved', recurring_id: expect.stringMatching(/./) });
  });

  it('agree about a query, signed both ways', async () => {
    const { gateway, relay } = await startStack();
    const { secret, orderNo } = await relay.session();
    await relay.pay(secret, card);
    const { body } = await relay.post('/v1/query', apiKey, { orders: [orderNo, 'another'] });
    const [payment] = gateway.payments.list();
    expect(body).toMatchObject({
      return_status: '1',
      orders_list: [{ order_no: orderNo, payment_status: '3000', transaction_id: payment?.transaction_id }],
      encryption_data: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it.each<[status: string, number: string, actions: PaymentActionName[]]>([
    ['held', testCards.held.number, []],
    ['paid', testCards.held.number, ['accept']],
    ['cancelled', card.card, ['void']],
    ['cancelled', testCards.authorised.number, ['expire']],
    ['partially_refunded', card.card, ['capture', 'refund_half']],
    ['refunded', card.card, ['capture', 'refund_half', 'refund']],
    ['reversed', card.card, ['capture', 'charge_back']],
    ['paid', card.card, ['capture', 'charge_back', 'reverse']],
  ])('agree about a payment that becomes %s in the portal (%s, %j)', async (status, number, actions) => {
    const { gateway, relay } = await startStack({ profile: relayProfile });
    gateway.styles.current.payment_codes = 'each_state';
    const { secret, orderNo } = await relay.session();
    await relay.pay(secret, { ...card, card: number });
    const [payment] = gateway.payments.list();
    if (!payment) throw new Error('nothing was paid');
    const { transaction_id } = payment;
    const known = async () => (await relay.get(`/v1/payments/${transaction_id}`, apiKey)).body;
    await expect.poll(known).toMatchObject({ gateway: { payment_status: gateway.books.statusOf(payment) } });
    for (const action of actions) {
      expect(act(action, payment, gateway)).toBe(undefined);
      await expect.poll(known).toMatchObject({ gateway: { payment_status: gateway.books.statusOf(payment) } });
    }
    await expect.poll(known).toMatchObject({ order_no: orderNo, status });
  });

  it.each(['json', 'form', 'xml', 'get'] as const)('agree about notifications in the format %s', async (shape) => {
    const receiver = await startReceiver();
    const { gateway, relay } = await startStack({ config: withReceiver(receiver.url) });
    gateway.notifier.shape = shape;
    const subscription = { contract: '1', contract_name: 'Tea club', contract_amount: '10.00', interval: 'month' };
    const { secret, id, orderNo } = await relay.session({ order: { subscription } });
    await relay.pay(secret, card);
    const [contract] = gateway.books.contracts.list();
    const [payment] = gateway.payments.list();
    if (!contract || !payment) throw new Error('nothing was paid');
    const notifications = () =>
      receiver.received.filter(({ type }) => type === 'notification.received').map(({ data }) => data);
    gateway.books.contracts.chargePeriod(contract);
    await expect.poll(notifications).toHaveLength(1);
    chargeBack(payment, gateway.payments);
    await receiver.one('payment.reversed');
    expect(notifications()).toMatchObject([
      { session_id: id, verified: true, records: [{ order_no: `${orderNo}-R2`, payment_status: '3000' }] },
    ]);
    expect(receiver.types()).toEqual([
      ...['session.approved', 'payment.ready', 'notification.received'],
      'payment.reversed',
    ]);
  });
});
