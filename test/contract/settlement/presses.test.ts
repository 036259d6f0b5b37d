import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Script, sendRecords } from '../../support/gateways/scripted-gateway.ts';
import {
  approvedAs,
  ordersOf,
  patient,
  paymentAnswers,
  refusedWith,
  type Settlement,
  setUpSettlement,
  stores,
  storesOf,
} from '../../support/gateways/settlement.ts';
import { apiKey, card, manyAttempts, order } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

const PRESSES = Array.from({ length: 60 });

/** The query of the first press, and the one that all presses during that query share. */
const MAX_QUERIES = 2;

describe.each(stores)('presses of the button with a watched attempt, on %s', (kind) => {
  const newStore = storesOf(kind);

  /** An open session whose first payment was refused and may still be charged. */
  async function watched(config: Record<string, unknown> = {}, resolve: object = patient, more: object = {}) {
    const stack = await setUpSettlement(newStore, { resolve, config, ...more });
    const session = await stack.session();
    stack.scripts.pay = refusedWith(400);
    expect((await stack.byCard(session.secret, { card: '5555555555554444' })).body.status).toBe('declined');
    return { ...stack, ...session };
  }

  /** An open session whose shopper returned from the issuer unpaid. */
  async function abandoned(config: Record<string, unknown> = {}) {
    const stack = await setUpSettlement(newStore, { resolve: patient, config });
    const session = await stack.session();
    expect((await stack.byPix(session.secret)).body.status).toBe('redirect');
    // The return page shows the result of a slow query only when requested again.
    await expect.poll(() => stack.comeBack(session.id)).toBe('open');
    return { ...stack, ...session, queriesBefore: stack.queriesOf(session.orderNo).length };
  }

  /** Holds the answers of queries until `answer`. */
  function heldQueries({ scripts, books }: Settlement) {
    const held: (() => void)[] = [];
    const answering: Script = (received, res) => sendRecords(res, books.of(ordersOf(received)));
    scripts.query = (received, res, req) => void held.push(() => answering(received, res, req));
    const answer = (): void => {
      for (const send of held.splice(0)) send();
    };
    return { held, answer };
  }

  /**
   * Holds the first query until this many presses wait for a query on these relays. Then the gateway answers by
   * `script`.
   */
  function holdUntilAllWait(stack: Settlement, count: number, script: Script, relays = [stack.relay]): void {
    let waiting = 0;
    const held: (() => void)[] = [];
    for (const { context } of relays) {
      const { queries } = context;
      context.queries = {
        next: (...call) => {
          const result = queries.next(...call);
          if (++waiting === count) for (const answer of held.splice(0)) answer();
          return result;
        },
      };
    }
    stack.scripts.query = (received, res, req) => {
      if (waiting >= count) script(received, res, req);
      else held.push(() => script(received, res, req));
    };
  }

  /** Sends a payment and disconnects once its query is held; returns when the relay has detected that. */
  async function hangUpDuring(
    { held }: ReturnType<typeof heldQueries>,
    stack: Settlement,
    path: string,
    bearer: string,
    message: object,
  ): Promise<void> {
    const caller = new AbortController();
    const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' };
    const body = JSON.stringify(message);
    const answer = stack.relay
      .send(path, { method: 'POST', headers, body, signal: caller.signal })
      .catch(() => 'hung up');
    await until('the gateway is queried', () => held.length > 0);
    caller.abort();
    expect(await answer).toBe('hung up');
    await sawHangUp(stack);
  }

  it('cause few queries and one payment', async () => {
    const stack = await abandoned();
    const { scripts, books, byCard, gateway, queriesOf, queriesBefore, relay, id, secret, orderNo } = stack;
    scripts.pay = approvedAs('T1');
    holdUntilAllWait(stack, PRESSES.length, (received, res) => sendRecords(res, books.of(ordersOf(received))));
    const answers = await Promise.all(PRESSES.map(() => byCard(secret)));
    const [paid, refused] = [
      answers.filter(({ status }) => status === 200),
      answers.filter(({ status }) => status !== 200),
    ];
    expect(paid).toMatchObject([{ body: { status: 'approved' } }]);
    expect(refused.filter(({ status }) => status !== 409)).toEqual([]);
    expect(gateway.authorised()).toHaveLength(2);
    expect(queriesOf(orderNo).length - queriesBefore).toBeLessThanOrEqual(MAX_QUERIES);
    expect(await relay.truth(id)).toMatchObject({ status: 'approved', transaction_id: 'T1' });
  });

  it('make one payment through two relays', async () => {
    const stack = await watched();
    const { scripts, books, relay, start, gateway, queriesOf, id, secret, orderNo } = stack;
    const second = await start({ folder: relay.folder });
    scripts.pay = approvedAs('T1');
    const both = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? relay : second));
    const script: Script = (received, res) => sendRecords(res, books.of(ordersOf(received)));
    holdUntilAllWait(stack, both.length, script, [relay, second]);
    const answers = await Promise.all(both.map((one) => one.pay(secret, card)));
    expect(answers.filter(({ body }) => body.status === 'approved')).toHaveLength(1);
    expect(gateway.authorised()).toHaveLength(2);
    expect(queriesOf(orderNo).length).toBeLessThanOrEqual(2 * MAX_QUERIES);
    for (const one of [relay, second]) expect(await one.truth(id)).toMatchObject({ transaction_id: 'T1' });
  });

  it('cause few queries while the gateway cannot be queried', async () => {
    const stack = await watched();
    const { scripts, byCard, gateway, queriesOf, relay, id, secret, orderNo } = stack;
    holdUntilAllWait(stack, PRESSES.length, (_received, res) => void res.writeHead(503).end());
    const answers = await Promise.all(PRESSES.map(() => byCard(secret)));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.code}`))).toEqual(
      new Set(['503 gateway_unreachable']),
    );
    // Each query is tried three times.
    expect(queriesOf(orderNo).length).toBeLessThanOrEqual(3 * MAX_QUERIES);
    expect(gateway.authorised()).toHaveLength(1);
    expect(await relay.truth(id)).toMatchObject({ status: 'open' });
    scripts.query = (_received, res) => sendRecords(res, []);
    scripts.pay = approvedAs('T1');
    expect((await byCard(secret)).body).toMatchObject({ status: 'approved' });
  });

  it('are limited before any query', async () => {
    const limits = { ...manyAttempts, attempts_per_card_per_hour: 1 };
    const { scripts, session, byCard, gateway, queriesOf, queriesBefore, secret, orderNo } = await abandoned({
      limits,
    });
    const other = await session();
    scripts.pay = paymentAnswers.declined;
    expect((await byCard(other.secret)).body.status).toBe('declined');
    const answers = await Promise.all(PRESSES.map(() => byCard(secret)));
    const kinds = new Set(answers.map(({ status, body }) => `${status} ${body.code}`));
    expect(kinds).toEqual(new Set(['429 too_many_attempts']));
    expect(queriesOf(orderNo)).toHaveLength(queriesBefore);
    expect(gateway.authorised()).toHaveLength(2);
  });

  it('count towards no limit if the query blocks the payment', async () => {
    const limits = { ...manyAttempts, attempts_per_card_per_hour: 1 };
    const { scripts, books, byCard, secret, orderNo } = await watched({ limits });
    scripts.query = (_received, res) => void res.writeHead(503).end();
    for (const _ of [1, 2]) expect(await byCard(secret)).toMatchObject({ status: 503 });
    scripts.query = (received, res) => sendRecords(res, books.of(ordersOf(received)));
    scripts.pay = paymentAnswers.declined;
    expect((await byCard(secret)).body.status).toBe('declined');
    expect(await byCard(secret)).toMatchObject({ status: 429 });
    expect(orderNo).toMatch(/^T-/);
  });

  it('are not paid once the shopper has disconnected', async () => {
    const stack = await watched();
    const { scripts, byCard, relay, gateway, queriesOf, id, secret, orderNo } = stack;
    scripts.pay = approvedAs('T1');
    const queries = heldQueries(stack);
    await hangUpDuring(queries, stack, '/checkout/api/pay', secret, card);
    queries.answer();
    await until('nothing is sent for who left', async () =>
      JSON.stringify((await relay.truth(id)).attempts).includes('not_sent'),
    );
    const next = byCard(secret, { card: '5555555555554444' });
    await until('the gateway is queried anew', () => queries.held.length > 0 && queriesOf(orderNo).length >= 2);
    expect(gateway.authorised()).toHaveLength(1);
    queries.answer();
    expect((await next).body).toMatchObject({ status: 'approved' });
    expect(gateway.authorised()).toHaveLength(2);
    expect(await relay.truth(id)).toMatchObject({
      attempts: [{ status: 'refused' }, { status: 'not_sent' }, { status: 'approved' }],
    });
  });

  it('are not paid once the shop’s server has disconnected', async () => {
    const stack = await watched();
    const { scripts, gateway, reconcile, orderNo } = stack;
    scripts.pay = approvedAs('T1');
    const queries = heldQueries(stack);
    await hangUpDuring(queries, stack, '/v1/payments', apiKey, { ...order(), ...card, order_no: orderNo });
    queries.answer();
    scripts.query = (_received, res) => sendRecords(res, []);
    expect((await reconcile(orderNo)).body).toMatchObject({ status: 'open', payments: [] });
    expect(gateway.authorised()).toHaveLength(1);
  });

  it('wait at most ten seconds for queries, also by server', async () => {
    let ahead = 0;
    const stack = await watched({}, patient, { monotonic: () => performance.now() + ahead });
    const { scripts, gateway, relay, notify, id, orderNo } = stack;
    scripts.pay = approvedAs('T1');
    const { store } = relay.context;
    const write = store.orders.write;
    // A notification arrives while the attempt is written: the gateway must be queried once more.
    const raced = vi.spyOn(store.orders, 'write').mockImplementation(async (change) => {
      if (change.quotas && ahead === 0) {
        await notify(id);
        ahead = 11_000;
      }
      return write(change);
    });
    onTestFinished(() => raced.mockRestore());
    const answer = await relay.post('/v1/payments', apiKey, { ...order(), ...card, order_no: orderNo });
    expect(answer).toMatchObject({ status: 503, body: { code: 'gateway_unreachable' } });
    expect(gateway.authorised()).toHaveLength(1);
  });

  it('wait for a query that began after them', async () => {
    const stack = await watched();
    const { scripts, books, byCard, reconcile, gateway, relay, id, secret, orderNo } = stack;
    scripts.pay = approvedAs('T9');
    const queries = heldQueries(stack);
    const reconciled = reconcile(orderNo);
    await until('an earlier query runs', () => queries.held.length > 0);
    const answersOfBefore = queries.held.splice(0);
    const pressed = byCard(secret);
    scripts.query = (received, res) => sendRecords(res, books.of(ordersOf(received)));
    for (const answer of answersOfBefore) answer();
    books.write(orderNo, 'T1', '3000');
    await reconciled;
    expect(await pressed).toMatchObject({ status: 409 });
    expect(gateway.authorised()).toHaveLength(1);
    expect(await relay.truth(id)).toMatchObject({ status: 'approved', transaction_id: 'T1' });
  });
});

describe.each(stores)('attempts that were not sent, on %s', (kind) => {
  const newStore = storesOf(kind);

  it('count towards no limit', async () => {
    const limits = { ...manyAttempts, attempts_per_card_per_hour: 2, attempts_per_session: 2 };
    const { relay, session, byCard, gateway } = await setUpSettlement(newStore, { config: { limits } });
    const { id, secret } = await session();
    const call = relay.context.call;
    relay.context.call = async () => ({ kind: 'not_sent' });
    for (let time = 0; time < 5; time++) {
      expect(await byCard(secret)).toMatchObject({ status: 503, body: { code: 'gateway_unreachable' } });
    }
    relay.context.call = call;
    expect((await byCard(secret)).status).toBe(200);
    expect(gateway.authorised()).toHaveLength(1);
    expect((await relay.truth(id)).attempts).toHaveLength(6);
  });
});

/** A relay that answers later requests has seen the end of an earlier connection. */
async function sawHangUp({ relay }: Settlement): Promise<void> {
  for (let time = 0; time < 3; time++) expect((await relay.get('/healthz')).status).toBe(200);
}
