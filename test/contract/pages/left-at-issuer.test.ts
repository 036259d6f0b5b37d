import { describe, expect, it } from 'vitest';
import { StoreError } from '../../../relay/base/errors.ts';
import { methods, pix, redirection, setUpIssuer } from '../../support/gateways/issuer.ts';
import { approval, scriptedGateway, sendRecords, sendXml, signedXml } from '../../support/gateways/scripted-gateway.ts';
import { serve } from '../../support/http/http-server.ts';
import { apiKey, card, order, startTestRelay } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

/** A poller that queries nothing during a test. */
const withoutPolls = { resolve: { first_ms: 3_600_000, max_ms: 3_600_000 } };

describe('an abandoned APM payment that is paid later', () => {
  /** The shopper returns unpaid, then pays at the issuer's page, which is still open elsewhere. */
  async function leftThenPaid() {
    const stack = await setUpIssuer();
    const { secret, id, orderNo } = await stack.relay.session({ ...methods, return_url: 'demoapp://paid' });
    await stack.relay.pay(secret, pix);
    await stack.relay.comeBack(id);
    expect(await stack.relay.truth(id)).toMatchObject({ status: 'open' });
    stack.books.status = '3000';
    return { ...stack, secret, id, orderNo };
  }

  it('is found when the shopper returns a second time', async () => {
    const { relay, id } = await leftThenPaid();
    expect((await relay.get(`/return/${id}`)).headers.get('location')).toMatch(/status=approved$/);
    expect(await relay.truth(id)).toMatchObject({ status: 'approved', transaction_id: 'T1' });
  });

  it('is found when the form is opened again', async () => {
    const { relay, secret } = await leftThenPaid();
    expect((await relay.get('/checkout/api/session', secret)).body).toMatchObject({ status: 'approved' });
  });

  it('is found when the gateway notifies', async () => {
    const { gateway, relay, id } = await leftThenPaid();
    await relay.send(new URL(String(gateway.authorised()[0]?.message.notify_url)).pathname, { method: 'POST' });
    expect(await relay.settled(id, 'open')).toMatchObject({ status: 'approved' });
  });

  it('is found before its order is paid in any session', async () => {
    const { gateway, relay, id, secret, orderNo } = await leftThenPaid();
    const { secret: other } = await relay.session({ order: { order_no: orderNo } });
    expect(await relay.pay(other, card)).toMatchObject({ status: 409, body: { code: 'order_already_paid' } });
    expect(await relay.pay(secret, card)).toMatchObject({ status: 409, body: { code: 'session_final' } });
    expect(await relay.truth(id)).toMatchObject({ status: 'approved' });
    expect(gateway.authorised()).toHaveLength(1);
  });

  it('blocks other payments while it is undecided', async () => {
    const { books, gateway, relay, id, secret } = await leftThenPaid();
    books.status = '1234';
    expect(await relay.pay(secret, card)).toMatchObject({ status: 409, body: { code: 'order_in_progress' } });
    expect(await relay.truth(id)).toMatchObject({ status: 'unknown', unknown: { reason: 'codes_not_listed' } });
    books.status = '4100';
    expect(await relay.settled(id, 'unknown')).toMatchObject({
      status: 'open',
      attempts: [{ status: 'declined', transaction_id: 'T1' }],
    });
    expect((await relay.pay(secret, pix)).body.status).toBe('redirect');
    expect(gateway.authorised()).toHaveLength(2);
  });

  it('is not queried while a later attempt is at the issuer', async () => {
    const { gateway, relay } = await setUpIssuer({ config: withoutPolls });
    const { secret, id, orderNo } = await relay.session(methods);
    const { secret: other } = await relay.session({ order: { order_no: orderNo } });
    await relay.pay(secret, pix);
    await relay.comeBack(id);
    relay.pass(2000);
    expect((await relay.pay(secret, pix)).body.status).toBe('redirect');
    const queries = gateway.queried().length;
    expect(await relay.pay(other, card)).toMatchObject({ status: 409, body: { code: 'order_in_progress' } });
    const payment = { ...order(), ...card, order_no: orderNo };
    expect(await relay.post('/v1/payments', apiKey, payment)).toMatchObject({ status: 409 });
    expect(gateway.queried()).toHaveLength(queries);
    expect(await relay.truth(id)).toMatchObject({ status: 'redirected' });
    expect(gateway.authorised()).toHaveLength(2);
  });

  it.each([
    ['declined at the issuer', '4100', { status: 'declined', transaction_id: 'T1' }],
    ['left without a decision', undefined, { status: 'not_paid', reason: 'abandoned' }],
  ])('that was %s does not change a later refusal', async (_, status, ended) => {
    const gateway = await scriptedGateway((received, res) => {
      if (received.path !== '/v1/authorise') {
        const { amount, currency, order_no } = gateway.authorised()[0]?.message ?? {};
        const record = { amount, currency, order_no, transaction_id: 'T1', payment_status: status };
        return sendRecords(res, status ? [record] : []);
      }
      if (received.message.card) res.writeHead(400).end();
      else sendXml(res, signedXml(redirection(received, 'http://127.0.0.1:9/')));
    });
    const relay = await startTestRelay({ gatewayUrl: gateway.url });
    const { secret, id } = await relay.session(methods);
    await relay.pay(secret, pix);
    await relay.comeBack(id);
    expect((await relay.pay(secret, card)).body).toMatchObject({ status: 'declined', result: { code: 'http_400' } });
    expect(await relay.truth(id)).toMatchObject({ status: 'open', attempts: [ended, { status: 'refused' }] });
  });

  /** The shopper returns unpaid. While `gate.isShut` is true, the gateway's answers to queries are held. */
  async function leftAtSlowGateway(config: Record<string, unknown> = {}) {
    const books: { status?: string } = {};
    const held: (() => void)[] = [];
    const gate = {
      isShut: false,
      open() {
        gate.isShut = false;
        for (const answer of held.splice(0)) answer();
      },
    };
    const gateway = await scriptedGateway((received, res) => {
      if (received.path === '/v1/authorise') {
        const declined = { ...approval(received), order_status: '0', result_info: '2001:no' };
        return sendXml(res, signedXml(received.message.card ? declined : redirection(received, 'http://127.0.0.1:9/')));
      }
      const { amount, currency, order_no } = gateway.authorised()[0]?.message ?? {};
      const record = { amount, currency, order_no, transaction_id: 'T1', payment_status: books.status };
      const records = books.status ? [record] : [];
      if (gate.isShut) held.push(() => sendRecords(res, records));
      else sendRecords(res, records);
    });
    const relay = await startTestRelay({ gatewayUrl: gateway.url, timeoutMs: 30_000, config });
    const { secret, id, orderNo } = await relay.session(methods);
    await relay.pay(secret, pix);
    await relay.comeBack(id);
    /** The number of presses so far that require a query first. */
    let presses = 0;
    const { store } = relay.context;
    const { check: limitedBy } = store.quotas;
    store.quotas.check = (...quotas) => {
      presses += 1;
      return limitedBy(...quotas);
    };
    const asked = (): boolean => held.length > 0;
    return { books, gate, gateway, relay, secret, id, orderNo, asked, presses: () => presses };
  }

  it('is found by a query that began after the press', async () => {
    const { books, gate, gateway, relay, secret, id, asked, presses } = await leftAtSlowGateway();
    gate.isShut = true;
    const slow = relay.get('/checkout/api/session', secret);
    await until('the slow query began', asked);
    books.status = '3000';
    const pressed = relay.pay(secret, card);
    await until('the button is pressed', () => presses() === 1);
    gate.open();
    expect(await pressed).toMatchObject({ status: 409, body: { code: 'order_already_paid' } });
    await slow;
    expect(await relay.truth(id)).toMatchObject({ status: 'approved', transaction_id: 'T1' });
    expect(gateway.authorised()).toHaveLength(1);
  });

  it('shows its stored status when the query takes long', async () => {
    const { gate, relay, secret, id, asked } = await leftAtSlowGateway();
    gate.isShut = true;
    const opened = relay.get('/checkout/api/session', secret);
    await until('the slow query began', asked);
    expect((await relay.post(`/v1/sessions/${id}/expire`, apiKey, {})).status).toBe(200);
    expect((await opened).body).toMatchObject({ status: 'expired' });
    gate.open();
  });

  it('is not queried again at once when the result was not stored', async () => {
    const { gate, relay, secret, orderNo, asked } = await leftAtSlowGateway(withoutPolls);
    const { store, now } = relay.context;
    const { release: releaseOrder } = store.orders;
    const released = Promise.withResolvers<void>();
    store.orders.write = () => Promise.reject(new StoreError('the store is not there'));
    store.orders.release = (...order) => releaseOrder(...order).finally(released.resolve);
    gate.isShut = true;
    const opened = relay.get('/checkout/api/session', secret);
    await until('the slow query began', asked);
    const before = new Date(now().getTime() - 1).toISOString();
    gate.open();
    await Promise.all([opened, released.promise]);
    const lease = { now: now().toISOString(), until: now().toISOString(), limit: 1 };
    const key = { account: 'demo', order_no: orderNo };
    expect(await store.orders.lease(key, lease, before)).toMatchObject({ kind: 'wait' });
  });

  it('lets one of two repeated requests through after the query', async () => {
    const { gate, gateway, relay, secret, presses } = await leftAtSlowGateway();
    gate.isShut = true;
    const send = () => relay.post('/checkout/api/pay', secret, card, { 'idempotency-key': 'one' });
    const both = [send(), send()];
    await until('both came', () => presses() === 2);
    gate.open();
    const statuses = (await Promise.all(both)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 409]);
    expect(gateway.authorised().filter(({ message }) => message.card)).toHaveLength(1);
  });

  it('is queried once for all presses meanwhile', async () => {
    const { gate, gateway, relay, secret, asked, presses } = await leftAtSlowGateway(withoutPolls);
    gate.isShut = true;
    const slow = relay.get('/checkout/api/session', secret);
    await until('the slow query began', asked);
    const before = gateway.queried().length;
    const pressed = Array.from({ length: 10 }, () => relay.pay(secret, card));
    await until('all came', () => presses() === 10);
    gate.open();
    const answers = await Promise.all(pressed);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(gateway.authorised().filter(({ message }) => message.card)).toHaveLength(1);
    const paid = gateway.received.findLastIndex(({ path }) => path === '/v1/authorise');
    const queries = gateway.received.slice(0, paid).filter(({ path }) => path === '/v1/retrievalTrans');
    expect(queries).toHaveLength(before + 1);
    await slow;
  });

  it('is found after a later abandoned attempt, too', async () => {
    const books: string[] = [];
    const gateway = await scriptedGateway((received, res) => {
      if (received.path === '/v1/authorise') {
        const transaction_id = `T${gateway.authorised().length}`;
        return sendXml(res, signedXml({ ...redirection(received, 'http://127.0.0.1:9/'), transaction_id }));
      }
      const { amount, currency, order_no } = gateway.authorised()[0]?.message ?? {};
      sendRecords(
        res,
        books.map((transaction_id) => ({ amount, currency, order_no, transaction_id, payment_status: '3000' })),
      );
    });
    const relay = await startTestRelay({ gatewayUrl: gateway.url });
    const { secret, id } = await relay.session(methods);
    for (let time = 0; time < 2; time++) {
      await relay.pay(secret, pix);
      await relay.comeBack(id);
    }
    books.push('T1');
    expect(await relay.pay(secret, card)).toMatchObject({ status: 409, body: { code: 'order_already_paid' } });
    expect(await relay.truth(id)).toMatchObject({ status: 'approved', transaction_id: 'T1' });
  });

  it('blocks other payments while the gateway cannot be queried', async () => {
    const { gateway, relay } = await setUpIssuer();
    const { secret, id } = await relay.session({ ...methods, return_url: 'demoapp://paid' });
    await relay.pay(secret, pix);
    await relay.comeBack(id);
    const call = relay.context.call;
    relay.context.call = async (name, ...rest) => (name === 'query' ? { kind: 'not_sent' } : call(name, ...rest));
    expect(await relay.pay(secret, card)).toMatchObject({ status: 503, body: { code: 'gateway_unreachable' } });
    relay.context.call = call;
    await relay.pay(secret, card);
    expect(gateway.authorised()).toHaveLength(2);
  });

  it('is found by the poller when the shopper never returns', async () => {
    const { books, relay } = await setUpIssuer({ config: { resolve: { first_ms: 20, max_ms: 50 } } });
    const { secret, id } = await relay.session(methods);
    await relay.pay(secret, pix);
    books.status = '3000';
    expect(await relay.settled(id, 'redirected')).toMatchObject({ status: 'approved', transaction_id: 'T1' });
  });

  it('frees its order when neither shopper nor record appears', async () => {
    const { relay } = await setUpIssuer({ config: { resolve: { first_ms: 20, max_ms: 50, absent_ms: 200 } } });
    const { secret, id, orderNo } = await relay.session({ ...methods, expires_in: 1 });
    await relay.pay(secret, pix);
    expect(await relay.settled(id, 'redirected', 'unknown', 'open')).toMatchObject({ status: 'expired' });
    const again = await relay.post('/v1/sessions', apiKey, { order: { ...order(), order_no: orderNo } });
    expect(again.status).toBe(201);
  });

  it('redirects no shopper to the issuer once abandoned', async () => {
    const pages: (() => void)[] = [];
    const slow = await serve((_req, res) => {
      pages.push(() => void res.end('<h1>Bank</h1>'));
    });
    const gateway = await scriptedGateway((received, res) => {
      if (received.path === '/v1/authorise') sendXml(res, signedXml(redirection(received, slow.url)));
      else sendRecords(res, []);
    });
    const relay = await startTestRelay({ gatewayUrl: gateway.url });
    const { secret, id } = await relay.session(methods);
    const url = String((await relay.pay(secret, pix)).body.redirect_url);
    const way = relay.get(url.slice(relay.url.length));
    await until('the issuer has got a request', () => pages.length > 0);
    await relay.comeBack(id);
    expect(await relay.truth(id)).toMatchObject({ status: 'open' });
    for (const open of pages) open();
    expect((await way).headers.get('location')).toBe(`/return/${id}`);
    await slow.close();
  });
});
