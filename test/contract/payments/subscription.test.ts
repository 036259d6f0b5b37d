import { expect, it } from 'vitest';
import { sandboxGateway } from '../../support/gateways/sandbox-gateway.ts';
import { apiKey, card, startTestRelay } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

const DAY = 86_400_000;
const today = new Date('2026-11-21T10:00:00Z');

/** Every field of the object in §2.1. */
const subscription = {
  contract: 'C-1',
  contract_name: 'Tea club',
  contract_amount: '50.00',
  interval: 'day',
  interval_count: '1',
  billing_cycle: 12,
  promotion_cycle: 2,
  contract_start: '2026-11-21',
  contract_end: '2027-11-21',
  price_id: 'P-1',
};

/** A shop whose shopper has just subscribed in the form, and a gateway whose clock the test moves. */
async function subscribed(terms: object = {}) {
  const gateway = await sandboxGateway({ now: () => today });
  const relay = await startTestRelay({ gatewayUrl: gateway.url });
  const session = await relay.session({ order: { amount: '10.00', subscription: { ...subscription, ...terms } } });
  const paid = await relay.pay(session.secret, card);
  const truth = await relay.truth(session.id);
  const charges = () => gateway.payments.list().map(({ order }) => [order.order_no, order.amount]);
  const charged = (cycles: number): string[][] =>
    Array.from({ length: cycles }, (_, at) => [
      at === 0 ? session.orderNo : `${session.orderNo}-R${at + 1}`,
      at < 2 ? '10.00' : '50.00',
    ]);
  const cancel = (more: object = {}, key: Record<string, string> = {}) =>
    relay.post('/v1/subscription/cancel', apiKey, { recurring_id: truth.recurring_id, ...more }, key);
  const recordOf = async (order_no: string) => {
    const { body } = await relay.post('/v1/query', apiKey, { orders: [order_no] });
    return Array.isArray(body.orders_list) ? body.orders_list[0] : undefined;
  };
  return { gateway, relay, session, paid, truth, charges, charged, cancel, recordOf };
}

it('the complete subscription reaches the gateway, amounts with two decimals', async () => {
  const { gateway } = await subscribed({ contract_amount: '50.00' });
  const message = gateway.messages.list().find(({ operation }) => operation === 'direct_payment');
  expect(JSON.parse(message?.request ?? '{}')).toMatchObject({ amount: '10.00', subscription });
});

it('the session shows the recurring_id to every shop', async () => {
  const { relay, truth, paid, recordOf, session } = await subscribed();
  expect(paid.body).toMatchObject({ status: 'approved' });
  expect(truth).toMatchObject({ status: 'approved', recurring_id: expect.stringMatching(/./) });
  expect(await recordOf(session.orderNo)).toMatchObject({
    subscription_result: { contract_name: 'Tea club', recurring_id: truth.recurring_id, recurring_status: '1' },
  });
  const order = { order_no: 'own-1', currency: 'BRL', amount: '10.00', subscription };
  const { body } = await relay.post('/v1/payments', apiKey, { ...order, ...card });
  expect(body).toMatchObject({ status: 'approved', recurring_id: expect.stringMatching(/./) });
  expect(await relay.truth(String(body.id))).toMatchObject({ recurring_id: body.recurring_id });
});

it('each period is charged at its end, first at the promotional price', async () => {
  const { gateway, relay, session, charges, charged, truth } = await subscribed();
  expect(charges()).toEqual(charged(1));
  gateway.clock.advance(3 * DAY);
  expect(charges()).toEqual(charged(4));
  const notifications = () => gateway.notifications.list().filter(({ kind }) => kind === 'recurring');
  await until('the relay acknowledged the notified charges', () =>
    notifications().every(({ outcome }) => outcome.state === 'delivered'),
  );
  expect(notifications()).toHaveLength(3);
  expect(await relay.truth(session.id)).toEqual(truth);
  gateway.clock.advance(400 * DAY);
  expect(charges()).toEqual(charged(12));
});

it('a cancelled subscription starts no period and charges the current one', async () => {
  const { gateway, charges, charged, cancel, recordOf, session, truth } = await subscribed();
  gateway.clock.advance(DAY + DAY / 2);
  expect(charges()).toEqual(charged(2));
  const { status, body } = await cancel({ contract_name: 'Tea club' });
  expect(status).toBe(200);
  expect(body).toMatchObject({ recurring_id: truth.recurring_id, cancel_status: '1', error_message: '' });
  expect(await recordOf(session.orderNo)).toMatchObject({ subscription_result: { recurring_status: '0' } });
  gateway.clock.advance(DAY / 4);
  expect(charges()).toEqual(charged(2));
  gateway.clock.advance(DAY / 4);
  expect(charges()).toEqual(charged(3));
  gateway.clock.advance(30 * DAY);
  expect(charges()).toEqual(charged(3));
});

it('a period cancelled manually at the gateway is not charged', async () => {
  const { gateway, charges, charged, cancel, truth } = await subscribed();
  await cancel();
  const path = `/admin/contracts/${truth.recurring_id}/periods/cancel`;
  expect((await fetch(`${gateway.url}${path}`, { method: 'POST' })).status).toBe(200);
  gateway.clock.advance(30 * DAY);
  expect(charges()).toEqual(charged(1));
});

it('ends a subscription once per key and returns the gateway’s refusal', async () => {
  const { gateway, cancel, truth } = await subscribed();
  expect((await cancel({ contract_name: 'Coffee club' })).body).toMatchObject({ cancel_status: '0' });
  const [first, again] = [
    await cancel({}, { 'idempotency-key': 'end' }),
    await cancel({}, { 'idempotency-key': 'end' }),
  ];
  expect(first.body).toMatchObject({ cancel_status: '1' });
  expect(again.text).toBe(first.text);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(gateway.messages.list().filter(({ operation }) => operation === 'subscription_cancel')).toHaveLength(2);
  for (const recurring_id of [truth.recurring_id, 'R-unknown']) {
    const { status, body } = await cancel({ recurring_id });
    expect(status).toBe(200);
    expect(body).toMatchObject({ recurring_id, cancel_status: '0', error_message: expect.stringMatching(/./) });
  }
});
