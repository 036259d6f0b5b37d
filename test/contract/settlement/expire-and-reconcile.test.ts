import { describe, expect, it } from 'vitest';
import { sendRecords } from '../../support/gateways/scripted-gateway.ts';
import {
  approvedAs,
  oneStore,
  ordersOf,
  patient,
  setUpSettlement,
  storesOf,
} from '../../support/gateways/settlement.ts';
import { apiKey, otherAccountKey, queryOnlyKey } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

describe.each(oneStore)('a shop that withdraws a checkout, on %s', (kind) => {
  const newStore = storesOf(kind);

  async function setUp() {
    const stack = await setUpSettlement(newStore, { resolve: { absent_ms: 3_600_000 } });
    const expire = (id: string, key = apiKey) => stack.relay.post(`/v1/sessions/${id}/expire`, key, {});
    return { ...stack, expire };
  }

  it('ends an open session, and can repeat the request safely', async () => {
    const { session, expire, byCard, webhooksOf, gateway } = await setUp();
    const { id, secret } = await session();
    for (const _ of [1, 2]) expect(await expire(id)).toMatchObject({ status: 200, body: { id, status: 'expired' } });
    expect(await byCard(secret)).toMatchObject({ status: 409, body: { code: 'session_final' } });
    expect(gateway.authorised()).toHaveLength(0);
    expect(await webhooksOf(id, 1)).toEqual(['session.expired']);
  });

  it('cannot end a session that is unknown, redirected or pending', async () => {
    const { session, expire, byCard, byPix, books, comeBack, relay } = await setUp();
    const inFlight = { status: 409, body: { code: 'attempt_in_flight' } };
    const unknown = await session();
    await byCard(unknown.secret);
    expect(await expire(unknown.id)).toMatchObject(inFlight);
    const away = await session();
    await byPix(away.secret);
    expect(await expire(away.id)).toMatchObject(inFlight);
    books.write(away.orderNo, 'T1', '2000');
    expect(await comeBack(away.id)).toBe('pending');
    expect(await expire(away.id)).toMatchObject(inFlight);
    expect(await relay.truth(away.id)).toMatchObject({ status: 'pending' });
  });

  it('cannot end a paid session, nor any without the scope', async () => {
    const { session, expire, byCard, scripts, relay } = await setUp();
    const { id, secret } = await session();
    expect(await expire(id, queryOnlyKey)).toMatchObject({ status: 403, body: { code: 'missing_scope' } });
    expect(await expire(id, otherAccountKey)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await expire('cs_none')).toMatchObject({ status: 404, body: { code: 'not_found' } });
    scripts.pay = approvedAs('T1');
    await byCard(secret);
    expect(await expire(id)).toMatchObject({ status: 409 });
    expect(await relay.truth(id)).toMatchObject({ status: 'approved' });
  });
});

describe.each(oneStore)('a shop that reconciles an order, on %s', (kind) => {
  const newStore = storesOf(kind);

  async function unknownPayment(resolve: object = patient) {
    const stack = await setUpSettlement(newStore, { resolve });
    const session = await stack.session();
    expect((await stack.byCard(session.secret)).body).toEqual({ status: 'unknown' });
    return { ...stack, ...session };
  }

  it('gets the order as the gateway currently reports it', async () => {
    const { reconcile, books, webhooksOf, id, orderNo } = await unknownPayment();
    const waiting = { order_no: orderNo, status: 'unknown', payments: [], last_query: { counted: true } };
    expect(await reconcile(orderNo, queryOnlyKey)).toMatchObject({ status: 200, body: waiting });
    books.write(orderNo, 'T1', '3000');
    const payment = { transaction_id: 'T1', amount: '129.90', currency: 'BRL', session_id: id, proof: 'record' };
    const paid = { order_no: orderNo, status: 'paid', payments: [payment], sessions: [{ id, status: 'approved' }] };
    expect(await reconcile(orderNo)).toMatchObject({ status: 200, body: paid });
    expect(await webhooksOf(id, 2)).toEqual(['session.unknown', 'session.approved']);
  });

  it('learns when the query does not count', async () => {
    const { reconcile, scripts, relay, id, orderNo } = await unknownPayment();
    scripts.query = (_received, res) => void res.writeHead(503).end();
    const { status, body } = await reconcile(orderNo);
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'unknown', last_query: { counted: false, fault: expect.any(String) } });
    expect(await relay.truth(id)).toMatchObject({ status: 'unknown' });
  });

  it('gets 404 for an order unknown to the relay', async () => {
    const { reconcile, gateway, orderNo } = await unknownPayment();
    expect(await reconcile(orderNo, otherAccountKey)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await reconcile('NONE')).toMatchObject({ status: 404, body: { code: 'not_found' } });
    // Each may be the order of a later charge of a contract.
    expect(gateway.queried()).toHaveLength(2);
  });

  it.each([['T1'], ['T2']])('learns about a payment in flight (later answered as %s)', async (answered) => {
    const { session, byCard, scripts, books, reconcile, relay, webhooksOf } = await setUpSettlement(newStore, {
      resolve: patient,
    });
    const { id, secret, orderNo } = await session();
    const held: (() => void)[] = [];
    scripts.pay = (received, res, req) => void held.push(() => approvedAs(answered)(received, res, req));
    const pressed = byCard(secret);
    await until('the payment is in flight', () => held.length > 0);
    books.write(orderNo, 'T1', '3000');
    expect((await reconcile(orderNo)).body).toMatchObject({ status: 'paid', sessions: [{ id, status: 'approved' }] });
    for (const answer of held) answer();
    expect((await pressed).body).toMatchObject({ status: 'approved' });
    const isTwice = answered !== 'T1';
    const truth = await relay.truth(id);
    if (isTwice) expect(truth).toMatchObject({ status: 'approved', paid_twice: ['T1', answered] });
    else expect(truth).not.toHaveProperty('paid_twice');
    const types = isTwice ? ['session.approved', 'session.paid_twice'] : ['session.approved'];
    expect(await webhooksOf(id, types.length)).toEqual(types);
  });

  it('causes at most one query in two seconds, one at a time', async () => {
    const { reconcile, scripts, books, queriesOf, orderNo } = await unknownPayment({
      first_ms: 60_000,
      max_ms: 60_000,
    });
    const begun: number[] = [];
    const running = { now: 0, max: 0 };
    scripts.query = (received, res) => {
      begun.push(performance.now());
      running.now += 1;
      running.max = Math.max(running.max, running.now);
      setTimeout(() => {
        running.now -= 1;
        sendRecords(res, books.of(ordersOf(received)));
      }, 50);
    };
    const pressed = performance.now();
    const answers = await Promise.all(Array.from({ length: 20 }, () => reconcile(orderNo)));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(queriesOf(orderNo).length).toBeLessThanOrEqual(2);
    await reconcile(orderNo);
    expect(running.max).toBe(1);
    // Measured from the press: a query may take longer to arrive than the next one, and a timer may fire a moment
    // early.
    for (const [n, at] of begun.entries()) expect(at - pressed).toBeGreaterThan(n * 1990);
  });

  it('causes at most one query in two seconds through two relays', async () => {
    const { reconcile, relay, start, queriesOf, orderNo } = await unknownPayment({ first_ms: 60_000, max_ms: 60_000 });
    const other = await start({ folder: relay.folder });
    const ask = () => other.post(`/v1/orders/${orderNo}/reconcile`, apiKey, {});
    const answers = await Promise.all([reconcile(orderNo), ask(), ask(), reconcile(orderNo)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(queriesOf(orderNo).length).toBeLessThanOrEqual(4);
  });
});
