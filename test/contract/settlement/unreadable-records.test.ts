import { describe, expect, it } from 'vitest';
import { type Script, sendRecords } from '../../support/gateways/scripted-gateway.ts';
import { oneStore, ordersOf, type Settlement, setUpSettlement, storesOf } from '../../support/gateways/settlement.ts';
import { until } from '../../support/time/until.ts';

/** The gateway's response to any query that includes the faulty order. */
type Fault = (stack: Settlement, orderNo: string) => Script;

const instead = (answer: (records: object[]) => string | Buffer): Fault => {
  return ({ books }) =>
    (received, res) =>
      void res.writeHead(200, { 'content-type': 'application/json' }).end(answer(books.of(ordersOf(received))));
};

const envelope = '"merchant_id":"100001","account_id":"200001","return_status":"1"';

const faults: Record<string, Fault> = {
  'a record whose transaction_id is no text':
    ({ books }, order_no) =>
    (received, res) =>
      sendRecords(res, [...books.of(ordersOf(received)), { order_no, transaction_id: true, payment_status: '3000' }]),
  'a record of the wrong shape':
    ({ books }, order_no) =>
    (received, res) =>
      sendRecords(res, [...books.of(ordersOf(received)), { order_no, amount: { value: 1 } }]),
  'a record that names no order':
    ({ books }) =>
    (received, res) =>
      sendRecords(res, [...books.of(ordersOf(received)), { order_no: [] }]),
  'a repeated field': instead(
    (records) =>
      `{${envelope},"orders_list":[${records.map((one) => JSON.stringify(one))},{"amount":"1","amount":"2"}]}`,
  ),
  'a broken encoding': instead(() => Buffer.from(`{${envelope},"return_message":"\xff\xfe"}`, 'latin1')),
  'an answer that is not JSON': instead(() => '<html>Bad gateway</html>'),
  'an answer of the wrong shape': instead(() => `{${envelope},"orders_list":{}}`),
  'a return_status of failure': () => (_received, res) => sendRecords(res, [], { return_status: '0' }),
  'HTTP status 400': () => (_received, res) => void res.writeHead(400).end('Invalid input'),
};

/** 2,000 records of one order, each about as long as the specification's example. */
const many = (order_no: string) =>
  Array.from({ length: 2000 }, (_, n) => ({
    ...{ order_no, amount: '129.90', currency: 'BRL', transaction_id: `D${n}`, payment_status: '4100' },
    shopper_email: 'ada@example.com',
    decline_reason: 'x'.repeat(500),
  }));

describe.each(oneStore)('an order with unreadable records, on %s', (kind) => {
  const newStore = storesOf(kind);

  /** Five unknown payments, the third with the faulty order; the gateway approved the other four. */
  async function fiveUnknown(options: { timeoutMs?: number } = {}) {
    const stack = await setUpSettlement(newStore, { resolve: { absent_ms: 3_600_000 }, ...options });
    const { scripts, books } = stack;
    const answerQuery = scripts.query;
    scripts.query = (_received, res) => void res.writeHead(503).end();
    const unknownPayment = async () => {
      const session = await stack.session();
      expect((await stack.byCard(session.secret)).body).toEqual({ status: 'unknown' });
      return session;
    };
    const before = [await unknownPayment(), await unknownPayment()];
    const bad = await unknownPayment();
    const good = [...before, await unknownPayment(), await unknownPayment()];
    for (const { orderNo } of good) books.write(orderNo, `T-${orderNo}`, '3000');
    const { queried } = stack.gateway;
    await until('all are queried at once', () => queried().some((query) => ordersOf(query).length === 5));
    return {
      ...stack,
      bad,
      good,
      /** From now on a query about the faulty order fails this way, and any other is answered. */
      failBy: (script: Script) => {
        scripts.query = (received, res, req) =>
          (ordersOf(received).includes(bad.orderNo) ? script : answerQuery)(received, res, req);
      },
      mend: () => {
        scripts.query = answerQuery;
      },
    };
  }

  it.each(Object.entries(faults))('leaves no other order unknown: %s', async (_, fault) => {
    const stack = await fiveUnknown();
    const { bad, good, books, gateway, relay, becomes, queriesOf } = stack;
    const before = gateway.queried().length;
    stack.failBy(fault(stack, bad.orderNo));
    for (const { id, orderNo } of good) await becomes(id, { status: 'approved', transaction_id: `T-${orderNo}` });
    // The failed query is halved at once, so the orders are separated without delay.
    const queries = gateway.queried().slice(before);
    const isAboutGood = (orderNo: string): boolean => good.some((one) => one.orderNo === orderNo);
    expect(queries.filter((query) => ordersOf(query).some(isAboutGood)).length).toBeLessThanOrEqual(12);
    expect(queriesOf(bad.orderNo).some((query) => ordersOf(query).length > 1)).toBe(true);
    await until('it is queried alone', () => queriesOf(bad.orderNo).some((query) => ordersOf(query).length === 1));
    expect(await relay.truth(bad.id)).toMatchObject({ status: 'unknown', unknown: { needs_attention: false } });
    stack.mend();
    books.write(bad.orderNo, 'T-bad', '3000');
    await becomes(bad.id, { status: 'approved', transaction_id: 'T-bad' });
  });

  it('lets four orders settle beside one with 2,000 records', async () => {
    const { bad, good, books, failBy, becomes } = await fiveUnknown();
    failBy((received, res) => sendRecords(res, [...books.of(ordersOf(received)), ...many(bad.orderNo)]));
    for (const { id } of good) await becomes(id, { status: 'approved' });
  });

  it('lets four orders settle beside one that takes too long', async () => {
    const { bad, good, books, failBy, session, byCard, relay, becomes, queriesOf } = await fiveUnknown({
      timeoutMs: 4000,
    });
    books.records = [];
    const other = await session();
    await byCard(other.secret);
    books.write(other.orderNo, 'T-other', '3000');
    failBy((received, res) => {
      // Until a query has succeeded, a slow order cannot be distinguished from a gateway that is down.
      if (books.of([other.orderNo]).length > 0) sendRecords(res, books.of(ordersOf(received)));
    });
    await becomes(other.id, { status: 'approved' });
    books.records = [];
    const queries = queriesOf(bad.orderNo).length;
    await until('a query hangs', () => queriesOf(bad.orderNo).length > queries + 1);
    for (const { orderNo } of good) books.write(orderNo, `T-${orderNo}`, '3000');
    for (const { id } of good) await becomes(id, { status: 'approved' });
    expect(await relay.truth(bad.id)).toMatchObject({ status: 'unknown' });
  });

  it('lets others settle once a query proves the gateway is up', async () => {
    const { good, bad, failBy, reconcile, becomes, queriesOf } = await fiveUnknown({ timeoutMs: 4000 });
    const queries = queriesOf(bad.orderNo).length;
    failBy(() => undefined);
    await until('a query hangs', () => queriesOf(bad.orderNo).length > queries);
    const [first, ...others] = good;
    expect((await reconcile(first?.orderNo ?? '')).body).toMatchObject({ status: 'paid' });
    for (const { id } of others) await becomes(id, { status: 'approved' });
    await becomes(bad.id, { status: 'unknown' });
  });
});
