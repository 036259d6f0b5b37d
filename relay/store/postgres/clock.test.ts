import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  delivered,
  event,
  ids,
  moved,
  nextOperation,
  noAnswer,
  notification,
  operation,
  processing,
  sent,
  unknown,
} from '../../../test/store/fixtures.ts';
import { startPostgres, type TestPostgres } from '../../../test/support/stores/postgres.ts';
import type { RefundLookup } from '../../payments/operations/operation.ts';
import type { StoredOrder } from '../../payments/order.ts';
import type { OrderLeased } from '../facets/orders.ts';
import type { Lease } from '../leases.ts';
import type { Store } from '../store.ts';
import { openPostgres } from './open.ts';

const MINUTE = 60_000;

/** The time `ms` milliseconds from now, by the clock of a relay that is `ahead` milliseconds ahead. */
const at = (ms: number, ahead = 0): string => new Date(Date.now() + ahead + ms).toISOString();
const lease = (ahead = 0): Lease => ({ now: at(0, ahead), until: at(MINUTE, ahead), limit: 10 });

describe('relays whose clocks differ, on PostgreSQL', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres?.close());

  /** A store with an order that was planned by a clock that is ahead by so much. */
  async function planned(wait: number, ahead: number): Promise<Store> {
    const store = await openPostgres(await postgres.database(), 'server');
    onTestFinished(() => store.close());
    const plan = { next_query_at: at(wait, ahead), planned_at: at(0, ahead) };
    await moved(store, await processing(store, 'A'), unknown('at_A'), () => plan);
    return store;
  }
  const due = async (store: Store, ahead = 0) =>
    (await store.orders.leaseDue(lease(ahead), ['demo'], at(-2000, ahead))).map(({ order_no }) => order_no);

  it.each([15 * MINUTE, -15 * MINUTE])('keep what one leased from another that is ahead by %i ms', async (ahead) => {
    const store = await planned(0, 0);
    expect(await due(store)).toEqual(['A']);
    expect(await due(store, ahead)).toEqual([]);
    const key = { account: 'demo', order_no: 'A' };
    expect(await store.orders.lease(key, lease(ahead), at(-2000, ahead))).toMatchObject({ kind: 'wait' });
  });

  it.each([15 * MINUTE, -15 * MINUTE])('ask in time what one planned that was ahead by %i ms', async (ahead) => {
    const soon = await planned(0, ahead);
    expect(await due(soon)).toEqual(['A']);
    const later = await planned(10 * MINUTE, ahead);
    expect(await due(later)).toEqual([]);
    expect(await due(later, ahead)).toEqual([]);
  });

  it('deliver the next webhook of one that is ahead a little', async () => {
    const store = await planned(0, 0);
    const little = 20_000;
    const first = event('e1', 'A', { created_at: at(0, little) });
    await store.outbox.add([first, { ...first, id: 'e2' }]);
    const claim = async () =>
      ids(await store.outbox.leaseDue('demo', 'default', at(0, little), at(MINUTE, little), 10));
    // Due by the server's now, which a relay knows to a few milliseconds.
    await expect.poll(claim).toEqual(['e1']);
    await store.outbox.writeDelivery(sent(first), delivered, at(0, little));
    await expect.poll(claim).toEqual(['e2']);
  });

  it('take over no operation that another sends, where one is behind', async () => {
    const store = await planned(0, 0);
    await store.operations.begin(operation('sent', { created_at: at(0) }), []);
    const behind = -40_000;
    expect(await store.operations.leaseOrphaned(lease(behind), at(-MINUTE, behind))).toEqual([]);
    expect(ids(await store.operations.leaseOrphaned(lease(), at(0)))).toEqual(['sent']);
  });
});

/** Clocks that differ from the server's by more than any lease or plan lasts. */
const HOUR = 60 * MINUTE;

describe.each([HOUR, -HOUR])('a relay whose clock is ahead of the server by %i ms', (ahead) => {
  let postgres: TestPostgres;
  let store: Store;
  beforeAll(async () => {
    postgres = await startPostgres();
    store = await openPostgres(await postgres.database(), 'server');
  });
  afterAll(async () => {
    await store?.close();
    await postgres?.close();
  });

  /** The time `ms` milliseconds from now, by the relay's clock. */
  const own = (ms = 0): string => at(ms, ahead);
  /** What is due now: the two clocks are compared to a few milliseconds. */
  const past = (): string => own(-1000);
  const all = ['demo'];
  const due = async () => (await store.orders.leaseDue(lease(), all, at(HOUR))).map(({ order_no }) => order_no);

  /** An order that was never queried. */
  async function orderOf(id: string) {
    await processing(store, id);
    const key = { account: 'demo', order_no: id };
    /** Writes the order as its relay does after a query that began at `begun`, without a next query. */
    const asked = async (begun: string, more: Partial<StoredOrder> = {}) => {
      const before = await store.orders.get('demo', id);
      const after = { ...before, queries: { last: { at: begun, counted: true }, failures: 0 }, ...more };
      return store.orders.write({ before, after, events: [], release: own() });
    };
    return { key, asked, taken: () => store.orders.lease(key, lease(), at(-2000)) };
  }

  /** The pause after a query that has begun just now. */
  function expectPause(leased: OrderLeased): void {
    if (leased.kind !== 'wait') throw new Error('there is no pause');
    expect(Math.abs(Date.parse(leased.until) - Date.now())).toBeLessThan(MINUTE / 2);
  }

  it('frees an order, with the pause since its query', async () => {
    const { key, taken } = await orderOf('released');
    await store.orders.release(key, own());
    expectPause(await taken());
  });

  it('writes an order free, with the pause since its query', async () => {
    const written = await orderOf('written');
    await written.asked(own());
    expectPause(await written.taken());
    const long = await orderOf('long');
    await long.asked(own(-MINUTE));
    expect(await long.taken()).toEqual({ kind: 'leased' });
    const planned = await orderOf('planned');
    await planned.asked(own(-MINUTE), { next_query_at: own(10 * MINUTE), planned_at: own() });
    expect(await due()).toEqual([]);
    expect(await planned.taken()).toEqual({ kind: 'leased' });
  });

  it('keeps an order as long as it says', async () => {
    const { key, asked } = await orderOf('kept');
    await asked(own(-MINUTE), { next_query_at: past(), planned_at: own() });
    expect(await due()).toEqual(['kept']);
    await store.orders.renewLeases([key], { now: own(), until: past() });
    expect(await due()).toEqual(['kept']);
    await store.orders.renewLeases([key], { now: own(), until: own(MINUTE) });
    expect(await due()).toEqual([]);
  });

  it('claims webhooks, and plans their next try', async () => {
    const one = event('webhook', 'webhook', { created_at: own() });
    const claim = async (now: string, until: string) =>
      ids(await store.outbox.leaseDue('demo', 'default', now, until, 10));
    await store.outbox.add([one]);
    await expect.poll(() => claim(own(), past())).toEqual(['webhook']);
    expect(await claim(own(), own(MINUTE))).toEqual(['webhook']);
    expect(await claim(at(0), at(MINUTE))).toEqual([]);
    await store.outbox.writeDelivery(sent(one), { status: 'pending', tries: 1, next_try_at: past() }, own());
    expect(await claim(at(0), at(MINUTE))).toEqual(['webhook']);
    await store.outbox.writeDelivery(sent(one), { status: 'pending', tries: 2, next_try_at: own(MINUTE) }, own());
    expect(await claim(at(0), at(MINUTE))).toEqual([]);
  });

  it('leases, delays and reports notifications', async () => {
    const notice = { verified: true, fields: {}, orders: [], trades: [] };
    const add = (sha256: string, due_at: string) =>
      store.notifications.add({ ...notification('told', 0, sha256), received_at: own(), waiting: { notice, due_at } });
    const given = async (work = lease()) => (await store.notifications.leaseDue(work, all)).map(({ sha256 }) => sha256);
    await add('soon', past());
    await add('later', own(MINUTE));
    expect(await given({ now: own(), until: past(), limit: 10 })).toEqual(['soon']);
    expect(await given(lease(ahead))).toEqual(['soon']);
    expect(await given()).toEqual([]);
    await store.notifications.delay([{ subject: 'told', sha256: 'soon' }], past(), own());
    expect(await given()).toEqual(['soon']);
    await store.notifications.delay([{ subject: 'told', sha256: 'soon' }], own(MINUTE), own());
    expect(await given()).toEqual([]);
    const end = { sha256: 'soon', verified: true, event: event('told', 'told', { created_at: own() }) };
    const terms = { at: own(), since: own(-MINUTE), limit: 1 };
    expect(await store.notifications.end('told', [end], terms)).toEqual({ told: 1, limited: 0, known: 0 });
    await expect
      .poll(async () => ids(await store.outbox.leaseDue('demo', 'default', at(0), at(MINUTE), 10)))
      .toEqual(['told']);
  });

  it('leases operations, and plans their next look', async () => {
    const begun = operation('op', { created_at: own() });
    await store.operations.begin(begun, []);
    const lookup: RefundLookup = { asked_at: own(), since: own(), next_look_at: past(), looks: 0 };
    const lost = nextOperation(begun, noAnswer, { lookup });
    await store.operations.finish({ operation: lost, events: [] });
    const given = async (work = lease()) => ids(await store.operations.leaseDue(work, all));
    expect(await given({ now: own(), until: past(), limit: 10 })).toEqual(['op']);
    expect(await given(lease(ahead))).toEqual(['op']);
    expect(await given()).toEqual([]);
    const looked = { ...lookup, looks: 1, last_look: { at: own(), found: 'absent' } as const };
    const again = nextOperation(lost, noAnswer, { lookup: looked });
    await store.operations.finish({ operation: again, events: [] });
    expect(await given()).toEqual(['op']);
    const later = nextOperation(again, noAnswer, { lookup: { ...looked, next_look_at: own(MINUTE) } });
    await store.operations.finish({ operation: later, events: [] });
    expect(await given()).toEqual([]);
  });

  it('takes over no operation that one like it sends', async () => {
    await store.operations.begin(operation('sent', { created_at: past() }), []);
    expect(await store.operations.leaseOrphaned(lease(ahead), own(-MINUTE))).toEqual([]);
    expect(ids(await store.operations.leaseOrphaned(lease(ahead), own()))).toEqual(['sent']);
  });
});
