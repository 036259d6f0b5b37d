import { describe, expect, it } from 'vitest';
import { sendRecords } from '../../support/gateways/scripted-gateway.ts';
import {
  approvedAs,
  ordersOf,
  patient,
  quick,
  refusedWith,
  type Settlement,
  setUpSettlement,
  stores,
  storesOf,
} from '../../support/gateways/settlement.ts';
import { apiKey } from '../../support/relays/relay.ts';
import { keepTimers } from '../../support/time/timers.ts';
import { until } from '../../support/time/until.ts';

const HOUR = 3_600_000;

/** The maximum time that a request waits for a query. */
const REQUEST_MS = 10_000;

describe.each(stores)('a clock correction, on %s', (kind) => {
  const newStore = storesOf(kind);

  /** A relay whose clock is an hour ahead until `set`. */
  async function ahead(resolve: object = quick, config: Record<string, unknown> = {}) {
    const clock = { ahead: HOUR };
    const now = (): Date => new Date(Date.now() + clock.ahead);
    const stack = await setUpSettlement(newStore, { resolve, config, now, monotonic: () => performance.now() });
    const set = (ms: number): void => {
      clock.ahead = ms;
    };
    return { ...stack, set };
  }

  /** A payment without an answer, queried once. */
  async function unanswered({ session, byCard, relay, queriesOf }: Settlement) {
    const { id, secret, orderNo } = await session();
    expect((await byCard(secret)).body.status).toBe('unknown');
    const reconcile = () => relay.post(`/v1/orders/${orderNo}/reconcile`, apiKey, {});
    await reconcile();
    expect(queriesOf(orderNo).length).toBeGreaterThan(0);
    return { id, secret, orderNo, reconcile };
  }

  it('delays no query that finds an order’s charge', async () => {
    const stack = await ahead();
    const { id, orderNo } = await unanswered(stack);
    stack.set(0);
    stack.books.write(orderNo, 'T1', '3000');
    expect(await stack.relay.settled(id, 'unknown')).toMatchObject({ status: 'approved', transaction_id: 'T1' });
  });

  it('delays the query of neither a caller nor a notification', async () => {
    const stack = await ahead(patient);
    const first = await unanswered(stack);
    const second = await unanswered(stack);
    stack.set(0);
    for (const { orderNo } of [first, second]) stack.books.write(orderNo, `T-${orderNo}`, '3000');
    expect((await first.reconcile()).status).toBe(200);
    expect(await stack.relay.truth(first.id)).toMatchObject({ status: 'approved' });
    await stack.notify(second.id);
    expect(await stack.relay.settled(second.id, 'unknown')).toMatchObject({ status: 'approved' });
  });

  it('delays no second press of a shopper', async () => {
    const { session, byCard, scripts, set, relay, queriesOf } = await ahead(patient);
    const { id, secret, orderNo } = await session();
    scripts.pay = refusedWith(400);
    for (let presses = 0; presses < 2; presses++) {
      expect((await byCard(secret, { card: '5555555555554444' })).body.status).toBe('declined');
    }
    expect(queriesOf(orderNo)).toHaveLength(1);
    set(0);
    scripts.pay = approvedAs('T1');
    expect((await byCard(secret)).body.status).toBe('approved');
    expect(await relay.truth(id)).toMatchObject({ status: 'approved' });
  });

  it('blocks no payments of a shop by its limits', async () => {
    const limits = { attempts_per_account_per_minute: 2, attempts_per_card_per_hour: 2 };
    const { session, byCard, set, scripts } = await ahead(patient, { limits });
    scripts.pay = approvedAs('T1');
    const statuses: number[] = [];
    const pay = async () => statuses.push((await byCard((await session()).secret)).status);
    for (let payments = 0; payments < 3; payments++) await pay();
    set(0);
    for (let payments = 0; payments < 3; payments++) await pay();
    expect(statuses).toEqual([200, 200, 429, 200, 200, 429]);
  });

  it('delays no retry of a webhook', async () => {
    const { session, byCard, scripts, set, shop } = await ahead();
    scripts.pay = approvedAs('T1');
    await byCard((await session()).secret);
    // Signed an hour ahead, it is refused.
    await until('the webhook is refused', () => shop.wrong.length > 0);
    set(0);
    expect(await shop.one('session.approved')).toMatchObject({ data: { transaction_id: 'T1' } });
  });

  it('delays no repetition of a query', async () => {
    const stack = await ahead();
    const { scripts, books, session, byCard, queriesOf, relay, shop } = stack;
    const { id, secret, orderNo } = await session();
    scripts.pay = approvedAs('T1');
    await byCard(secret);
    await stack.notify(id);
    await until(
      'the notification is followed',
      async () => (await relay.context.store.orders.get('demo', orderNo)).noticed > 0,
    );
    scripts.query = (_received, res) => void res.destroy();
    stack.set(0);
    await until('a query fails', () => relay.logLines.some((line) => line.includes('query_unanswered')));
    books.write(orderNo, 'T1', '3000');
    books.write(orderNo, 'T2', '3000');
    scripts.query = (received, res) => sendRecords(res, books.of(ordersOf(received)));
    expect(await shop.one('session.paid_twice')).toMatchObject({ data: { transaction_ids: ['T1', 'T2'] } });
    expect(queriesOf(orderNo).length).toBeGreaterThan(1);
  });

  it('delays no outcome for a returning shopper', async () => {
    const stack = await ahead();
    const { session, byPix, books, queriesOf } = stack;
    const { id, secret, orderNo } = await session();
    expect((await byPix(secret)).body.status).toBe('redirect');
    const back = stack.comeBack(id);
    await until('the return is queried', () => queriesOf(orderNo).length > 0);
    stack.set(0);
    await stack.waitForQueries(orderNo, 1);
    books.write(orderNo, 'T1', '3000');
    await stack.becomes(id, { status: 'approved', transaction_id: 'T1' });
    await back;
  });

  it('forward ends no payment early', async () => {
    const stack = await ahead();
    const steps = (): string[] => stack.relay.logLines.filter((line) => line.includes('clock was set'));
    const stepsOf = (ms: RegExp): number => steps().filter((line) => ms.test(line)).length;
    stack.set(0);
    await until('the step back is seen', () => stepsOf(/"ms":-3\d{6}\b/) === 1);
    const { id, orderNo } = await unanswered(stack);
    stack.set(HOUR);
    const queries = stack.queriesOf(orderNo).length;
    await until('the relay queried four times', () => stack.queriesOf(orderNo).length >= queries + 4);
    expect(await stack.relay.truth(id)).toMatchObject({ status: 'unknown' });
    await until('the step forward is seen', () => stepsOf(/"ms":3\d{6}\b/) === 1);
  });

  it('leaves no pending timer when the relay has stopped', async () => {
    const stack = await ahead();
    const { id, orderNo } = await unanswered(stack);
    await stack.relay.stop();
    const next = await stack.start({ folder: stack.relay.folder, now: () => new Date() });
    stack.books.write(orderNo, 'T1', '3000');
    expect(await next.settled(id, 'unknown')).toMatchObject({ status: 'approved', transaction_id: 'T1' });
  });
});

describe('a query that never ends', () => {
  const newStore = storesOf('SQLite');

  it('delays a request ten seconds, and nothing is sent', async () => {
    const { session, byCard, scripts, relay, gateway, queriesOf, books } = await setUpSettlement(newStore, {
      resolve: patient,
      // No time passes from the press to its query.
      monotonic: () => 0,
    });
    const { secret, orderNo } = await session();
    scripts.pay = refusedWith(400);
    await byCard(secret);
    const held: (() => void)[] = [];
    scripts.query = (_received, res) => void held.push(() => res.destroy());
    const timers = keepTimers(REQUEST_MS);
    const [press, reconciled] = [byCard(secret), relay.post(`/v1/orders/${orderNo}/reconcile`, apiKey, {})];
    await until('the gateway is queried', () => queriesOf(orderNo).length > 0);
    await until('both wait', () => timers.kept() >= 2);
    timers.release();
    expect(await press).toMatchObject({ status: 503, body: { code: 'gateway_unreachable' } });
    expect(await reconciled).toMatchObject({ status: 200, body: { order_no: orderNo } });
    expect(gateway.authorised()).toHaveLength(1);
    expect(books.records).toEqual([]);
    for (const end of held) end();
  });
});
