import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  answered,
  at,
  claim,
  delivered,
  event,
  nextOperation,
  operation,
  refund,
  sent,
  session,
  starting,
} from '../../../test/store/fixtures.ts';
import { startPostgres, type TestPostgres } from '../../../test/support/stores/postgres.ts';
import { countTraffic } from '../../../test/support/stores/postgres-traffic.ts';
import { until } from '../../../test/support/time/until.ts';
import type { StoredOrder } from '../../payments/order.ts';
import type { OrderWrite } from '../facets/orders.ts';
import { writtenOrder } from '../order-changes.ts';
import type { Store } from '../store.ts';
import { openPostgres } from './open.ts';

const quotas = {
  at: at(0),
  counted: [
    { name: 'card', key: 'card', max: 1000, window_ms: 60_000 },
    { name: 'account', key: 'account', max: 1000, window_ms: 60_000 },
  ],
} as const;

/** What a payment asks of the store: its order is read, its attempt starts, and its outcome is settled with a webhook. */
async function pay(store: Store, id: string): Promise<void> {
  const before = await store.orders.ofSession(id);
  const paying = before?.sessions.find((one) => one.id === id);
  if (!before || !paying) throw new Error('no such session');
  const start = { ...starting(before, paying, `at_${id}`), quotas };
  expect(await store.orders.write(start)).toEqual({ kind: 'written' });
  expect(await store.orders.write(settling(writtenOrder(before, start.after), id))).toEqual({ kind: 'written' });
}

function settling(before: StoredOrder, id: string): OrderWrite {
  const [transaction_id, attempt_id] = [`T_${id}`, `at_${id}`];
  const paid = { transaction_id, amount: '10.00', currency: 'BRL', attempt_id, proof: 'answer', date: at(0) } as const;
  const after: StoredOrder = {
    ...before,
    hold: 'paid',
    payments: [paid],
    sessions: before.sessions.map((one) =>
      one.id === id ? { ...one, state: { status: 'approved', attempt_id, transaction_id } } : one,
    ),
    attempts: before.attempts.map((one) =>
      one.id === attempt_id ? { ...one, transaction_id, state: { status: 'approved' } } : one,
    ),
  };
  return { before, after, events: [event(`e_${id}`, id)] };
}

/** What a refund under a key asks of the store, one of a payment of its own. */
async function refundOnce(store: Store, id: string, transactionId: string): Promise<void> {
  const [own, one] = [{ ...claim, key: id }, operation(id)];
  expect(await store.keys.claim(own, at(0))).toEqual({ kind: 'claimed' });
  expect(await store.operations.begin(one, [refund(1000n, 1000n, 'BRL', transactionId)], own)).toEqual({
    kind: 'begun',
  });
  const finish = { operation: nextOperation(one, answered), counted: [true], events: [event(`e_${id}`, id)] };
  expect(await store.operations.finish({ ...finish, answered: { ...own, reply: 'r' } })).toBe(true);
}

describe('the traffic with PostgreSQL', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres({ fsync: true });
  });
  afterAll(() => postgres?.close());

  /** A store that has a connection and knows the clock of its server. */
  const open = async () => {
    const address = await postgres.database();
    const counter = await countTraffic(address);
    onTestFinished(() => counter.close());
    const store = await openPostgres(counter.address);
    onTestFinished(() => store.close());
    await store.sessions.create(session('cs_0', 'before'));
    await pay(store, 'cs_0');
    await store.sessions.create(session('cs_1'));
    return { address, store, counter };
  };

  it('of a payment is three exchanges', async () => {
    const { store, counter } = await open();
    const traffic = counter.count();
    await pay(store, 'cs_1');
    expect(traffic).toEqual({ statements: ['order-of-session', 'write-orders', 'write-orders'], exchanges: 3 });
  });

  it('of a refund is four exchanges, one of them for its key', async () => {
    const { store, counter } = await open();
    const traffic = counter.count();
    await refundOnce(store, 'op_1', 'T_cs_0');
    expect(traffic).toEqual({
      statements: [
        ...[expect.stringMatching(/^BEGIN/), 'claim-key', 'COMMIT'],
        ...['payments-asked', 'begin-operations', 'finish-operations'],
      ],
      exchanges: 4,
    });
    const unknown = counter.count();
    await refundOnce(store, 'op_2', 'T_unknown');
    expect(unknown.statements).toContain('transactions-of-forms');
    expect(unknown.exchanges).toBe(5);
  });

  it('of a webhook is two exchanges', async () => {
    const { store, counter } = await open();
    await store.outbox.add([event('e1')]);
    const traffic = counter.count();
    const [claimed] = await store.outbox.leaseDue('demo', 'default', at(1), at(60), 10);
    if (claimed) await store.outbox.writeDelivery(sent(claimed), delivered);
    const begin = expect.stringMatching(/^BEGIN/);
    expect(traffic).toEqual({
      statements: [begin, 'claim-events', 'COMMIT', begin, 'lock', 'update-event', 'COMMIT'],
      exchanges: 2,
    });
  });

  it('of a page of operations is one statement, which reads one moment', async () => {
    const { store, counter } = await open();
    const traffic = counter.count();
    await store.operations.list({ account: 'demo', limit: 10 });
    expect(traffic).toEqual({ statements: ['walk-operations'], exchanges: 1 });
  });

  it('of many payments at once is shared', async () => {
    const { store, counter } = await open();
    const ids = Array.from({ length: 40 }, (_, i) => `cs_${i}_`);
    await Promise.all(ids.map((id) => store.sessions.create(session(id, id))));
    const traffic = counter.count();
    await Promise.all(ids.map((id) => pay(store, id)));
    expect(traffic.statements.filter((name) => name === 'write-orders').length).toBeLessThan(20);
  });

  it('syncs twice for a payment and a refund, never for a webhook', async () => {
    const { address, store } = await open();
    // A new file of the log is a write of its own: none begins while payments are counted.
    await postgres.query(address, 'SELECT pg_switch_wal()');
    // The server's own setting would not do.
    const name = new URL(address).pathname.slice(1);
    await postgres.query(address, `ALTER DATABASE ${name} SET synchronous_commit = 'off'`);
    const ids = Array.from({ length: 20 }, (_, i) => `cs_${i}_`);
    for (const id of ids) await store.sessions.create(session(id, id));
    await store.close();
    const text = `SELECT sum(fsyncs) FILTER (WHERE backend_type = 'client backend')::integer AS own,
      sum(fsyncs)::integer AS all, (SELECT count(*)::integer FROM pg_stat_activity WHERE application_name = 'turnpike') AS open
      FROM pg_stat_io WHERE object = 'wal'`;
    /** Writes to the disk: by connections, which report theirs at their end, and by all processes, which may report theirs later. */
    const writes = async (least = 0) => {
      let [own, all] = [0, 0];
      await until('the connections have reported their writes', async () => {
        const [row] = await postgres.query(address, text);
        [own, all] = [Number(row?.own), Number(row?.all)];
        return row?.open === 0 && all >= least;
      });
      return { own, all };
    };
    const before = await writes();
    const paying = await openPostgres(address);
    for (const id of ids) await pay(paying, id);
    await paying.close();
    // The server's own writer may make some of them; no two that follow each other are made together.
    const paid = await writes(before.all + 2 * ids.length);
    expect(paid.own - before.own).toBeLessThanOrEqual(2 * ids.length);
    const refunding = await openPostgres(address);
    for (const id of ids) await refundOnce(refunding, `op_${id}`, `T_${id}`);
    await refunding.close();
    const refunded = await writes(paid.all + 2 * ids.length);
    expect(refunded.own - paid.own).toBeLessThanOrEqual(2 * ids.length);
    const delivering = await openPostgres(address);
    for (const event of await delivering.outbox.leaseDue('demo', 'default', at(1), at(60), 99)) {
      await delivering.outbox.writeDelivery(sent(event), delivered);
    }
    await delivering.close();
    expect((await writes()).own - refunded.own).toBeLessThanOrEqual(2);
  });
});
