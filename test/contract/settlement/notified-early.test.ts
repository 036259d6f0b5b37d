import { describe, expect, it } from 'vitest';
import { type Script, sendRecords } from '../../support/gateways/scripted-gateway.ts';
import {
  approvedAs,
  ordersOf,
  patient,
  paymentAnswers,
  type Settlement,
  setUpSettlement,
  stores,
  storesOf,
} from '../../support/gateways/settlement.ts';
import { apiKey, card, order } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

/**
 * Longer than the pause between two queries about one order, and shorter than the delay before a query's first
 * repetition.
 */
const APART_MS = 2000;

/** The delay of the first repetition of the query that follows a notification. */
const REPEATED_MS = 5000;

const HOUR_MS = 3_600_000;

describe.each(stores)('a signed decline that becomes approved, notified before its record, on %s', (kind) => {
  const newStore = storesOf(kind);

  /** A card that the gateway's signed answer declined, and a clock that only the test moves. */
  async function declined() {
    let time = Date.now();
    const pass = (ms: number): void => {
      time += ms;
    };
    const stack = await setUpSettlement(newStore, { decides: 'callers', resolve: patient, now: () => new Date(time) });
    const { scripts, books, session, byCard, relay } = stack;
    const one = await session();
    scripts.pay = paymentAnswers.declined;
    expect((await byCard(one.secret)).body.status).toBe('declined');
    expect(await relay.truth(one.id)).toMatchObject({ status: 'open' });
    books.write(one.orderNo, 'T1', '4100');
    return { ...stack, ...one, pass };
  }

  /** The same, notified and queried once: the record still shows the decline, and changes now. */
  async function askedTooEarly() {
    const stack = await declined();
    const { notify, books, id, orderNo } = stack;
    await notify(id);
    await isAsked(stack, orderNo, 1);
    books.write(orderNo, 'T1', '3000');
    return stack;
  }

  /** Waits until this many queries about an order are applied. */
  async function isAsked({ queriesOf, relay }: Settlement, orderNo: string, count: number): Promise<void> {
    await until(`query ${count} about ${orderNo}`, () => queriesOf(orderNo).length >= count);
    const { store } = relay.context;
    const isApplied = async () => {
      const { notices, noticed } = await store.orders.get('demo', orderNo);
      return notices === noticed;
    };
    await until('the notification is followed', isApplied);
  }

  it('is found by the next query', async () => {
    const { pass, becomes, webhooksOf, id } = await askedTooEarly();
    pass(REPEATED_MS);
    await becomes(id, { status: 'approved', transaction_id: 'T1' });
    expect(await webhooksOf(id, 2)).toEqual(['session.declined', 'session.approved']);
  });

  it('refuses the next card and reports the payment', async () => {
    const { pass, byCard, scripts, gateway, becomes, webhooksOf, id, secret } = await askedTooEarly();
    scripts.pay = paymentAnswers.lost;
    pass(APART_MS);
    expect(await byCard(secret, { card: '5555555555554444' })).toMatchObject({
      status: 409,
      body: { code: 'order_already_paid' },
    });
    expect(gateway.authorised()).toHaveLength(1);
    await becomes(id, { status: 'approved', transaction_id: 'T1' });
    expect(await webhooksOf(id, 2)).toEqual(['session.declined', 'session.approved']);
  });

  it('refuses a payment by the shop’s server and reports the first', async () => {
    const { pass, relay, gateway, becomes, id, orderNo } = await askedTooEarly();
    pass(APART_MS);
    const body = { ...order(), order_no: orderNo, ...card, shopper_ip: '192.0.2.1' };
    expect(await relay.post('/v1/payments', apiKey, body)).toMatchObject({
      status: 409,
      body: { code: 'order_already_paid' },
    });
    expect(gateway.authorised()).toHaveLength(1);
    await becomes(id, { status: 'approved', transaction_id: 'T1' });
  });

  it('sends nothing while the notification’s query cannot run', async () => {
    const { scripts, notify, byCard, gateway, queriesOf, pass, id, secret, orderNo } = await declined();
    scripts.query = (_received, res) => void res.writeHead(503).end();
    await notify(id);
    await until('the gateway is queried', () => queriesOf(orderNo).length > 0);
    pass(APART_MS);
    expect(await byCard(secret)).toMatchObject({ status: 503, body: { code: 'gateway_unreachable' } });
    expect(gateway.authorised()).toHaveLength(1);
  });

  it('is found by another query if notified during one', async () => {
    const stack = await declined();
    const { scripts, books, notify, pass, becomes, queriesOf, id, orderNo } = stack;
    const held: (() => void)[] = [];
    const answerQuery = scripts.query;
    // What the gateway knew when it was queried.
    const late: Script = (received, res) => {
      const records = books.of(ordersOf(received));
      held.push(() => sendRecords(res, records));
    };
    scripts.query = late;
    await notify(id);
    await until('the gateway is queried', () => held.length > 0);
    books.write(orderNo, 'T1', '3000');
    await notify(id);
    scripts.query = answerQuery;
    for (const answer of held) answer();
    pass(APART_MS);
    await becomes(id, { status: 'approved', transaction_id: 'T1' });
    expect(queriesOf(orderNo)).toHaveLength(2);
  });

  it('is found a day later, despite another approved payment', async () => {
    const stack = await declined();
    const { scripts, books, notify, pass, byCard, queriesOf, becomes, id, secret, orderNo } = stack;
    scripts.pay = approvedAs('T2');
    pass(APART_MS);
    expect((await byCard(secret, { card: '5555555555554444' })).body).toMatchObject({ status: 'approved' });
    books.write(orderNo, 'T2', '3000');
    await notify(id);
    await isAsked(stack, orderNo, 1);
    pass(HOUR_MS);
    await until('the gateway is queried an hour later', () => queriesOf(orderNo).length === 2);
    await until('that is applied', async () => {
      const { queries, repeats } = await stack.relay.context.store.orders.get('demo', orderNo);
      return queries.last?.counted === true && repeats === undefined;
    });
    books.write(orderNo, 'T1', '3000');
    pass(24 * HOUR_MS);
    await becomes(id, { status: 'approved', transaction_id: 'T2', paid_twice: ['T2', 'T1'] });
  });
});
