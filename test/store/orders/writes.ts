import { describe, expect, it } from 'vitest';
import { StoreError } from '../../../relay/base/errors.ts';
import type { Quota } from '../../../relay/payments/attempt.ts';
import type { StoredOrder } from '../../../relay/payments/order.ts';
import type { OrderWrite } from '../../../relay/store/facets/orders.ts';
import { writtenOrder } from '../../../relay/store/order-changes.ts';
import type { Store } from '../../../relay/store/store.ts';
import {
  at,
  claim,
  event,
  ids,
  lease,
  notification,
  type Open,
  operation,
  processing,
  refund,
  session,
  starting,
} from '../fixtures.ts';

const quota = (key: string): Quota => ({ name: 'card', key, max: 1, window_ms: 60_000 });
const [counted, uncounted] = [quota('counted'), quota('uncounted')];
const one = session('cs_1');
const key = { account: 'demo', order_no: 'A' };

/** An order with an open session, under a lease, a claimed key, and one counted attempt that `fullWrite` gives back. */
async function setUp(store: Store): Promise<StoredOrder> {
  const other = starting(await store.orders.get('demo', 'B'), session('other', 'B'), 'at_other');
  await store.orders.write({ ...other, quotas: { counted: [uncounted], at: at(0) } });
  await store.sessions.create(one);
  await store.keys.claim(claim, at(0));
  const before = await store.orders.get('demo', 'A');
  await store.orders.write({ before, after: { ...before, next_query_at: at(1) }, events: [] });
  await store.orders.lease(key, lease(1, 60), at(0));
  return store.orders.get('demo', 'A');
}

/** A write that changes everything that a write can change. */
function fullWrite(before: StoredOrder): OrderWrite {
  const { after } = starting(before, one, 'at_1');
  const proved = { transaction_id: 'T', amount: '10.00', currency: 'BRL', proof: 'record', date: at(0) } as const;
  return {
    before,
    after: { ...after, hold: 'paid', payments: [proved], sessions: [...after.sessions, session('cs_new')] },
    events: [event('written')],
    quotas: { counted: [counted], at: at(0) },
    uncounted: { quotas: [uncounted], at: at(0) },
    lead: { key: claim, subject: 'cs_new' },
    audit: { account: 'demo', at: at(0), by: 'server', action: 'payment', subject: 'cs_new', request_id: 'req_1' },
    release: at(1),
  };
}

/** Everything that `fullWrite` changes. */
async function everything(store: Store) {
  const left = await store.operations.begin(operation('op_1'), [refund(9999n, 9998n)]);
  return {
    order: await store.orders.get('demo', 'A'),
    made: await store.sessions.get('cs_new'),
    left: left.kind === 'refund_exceeds_payment' ? left.left : undefined,
    limited: await Promise.all([counted, uncounted].map((one) => store.quotas.check([one], at(1)))),
    events: ids(await store.outbox.list({ account: 'demo', limit: 10 })),
    claimed: await store.keys.claim({ ...claim, claimed_at: at(7200) }, at(0)),
    audit: (await store.people.listAudit({ account: 'demo', limit: 10 })).map(({ subject }) => subject),
    leased: await store.orders.lease(key, lease(1, 60), at(59)),
  };
}

/** Writes of orders: each is made as a whole or not at all. */
export function writeBehaviour(open: Open): void {
  describe('a write of an order', () => {
    it('changes everything at once', async () => {
      const store = await open();
      const write = fullWrite(await setUp(store));
      expect(await store.orders.write(write)).toEqual({ kind: 'written' });
      const limited = { kind: 'limited', limit: 'card', until: at(60) };
      expect(await everything(store)).toEqual({
        order: writtenOrder(write.before, write.after),
        made: session('cs_new'),
        left: 1000n,
        limited: [limited, undefined],
        events: ['written'],
        claimed: { kind: 'running', subject: 'cs_new' },
        audit: ['cs_new'],
        leased: { kind: 'leased' },
      });
    });

    it.each<[string, string, (store: Store, before: StoredOrder) => Promise<unknown>]>([
      [
        'the order was written',
        'changed',
        (store, before) => store.orders.write({ before, after: { ...before, queries: { failures: 1 } }, events: [] }),
      ],
      ['a notification came', 'changed', (store) => store.notifications.add(notification('cs_1', 1))],
      ['its session was changed', 'changed', (store) => store.sessions.change({ ...one, version: 2, revision: 2 })],
      ['its key led elsewhere', 'key_lost', (store) => store.operations.begin(operation('op_2'), [], claim)],
      ['its key was answered', 'key_lost', (store) => store.keys.answer({ ...claim, reply: 'r' })],
      ['its key was lost', 'key_lost', (store) => store.keys.claim({ ...claim, claimed_at: at(7200) }, at(3601))],
      [
        'a quota was used up',
        'limited',
        async (store) => {
          const paid = starting(await store.orders.get('demo', 'C'), session('cs_c', 'C'), 'at_c');
          return store.orders.write({ ...paid, quotas: { counted: [counted], at: at(0) } });
        },
      ],
    ])('writes nothing when meanwhile %s', async (_, kind, meanwhile) => {
      const store = await open();
      const before = await setUp(store);
      await meanwhile(store, before);
      const then = await everything(store);
      expect(await store.orders.write(fullWrite(before))).toMatchObject({ kind });
      expect(await everything(store)).toEqual(then);
    });

    it('writes nothing when it fails halfway', async () => {
      const store = await open();
      const before = await setUp(store);
      const then = await everything(store);
      const write = fullWrite(before);
      const attempts = [...write.after.attempts, ...write.after.attempts];
      const failing = { ...write, after: { ...write.after, attempts } };
      await expect(store.orders.write(failing)).rejects.toBeInstanceOf(StoreError);
      expect(await everything(store)).toEqual(then);
      expect(await store.orders.write(write)).toEqual({ kind: 'written' });
    });

    it('keeps the answer to its request, or nothing of the write', async () => {
      const store = await open();
      await setUp(store);
      const before = await store.orders.get('demo', 'A');
      const write = {
        before,
        after: { ...before, queries: { failures: 1 } },
        events: [],
        answered: { ...claim, reply: 'r' },
      };
      expect(await store.orders.write({ ...write, before: { ...before, version: 7 } })).toEqual({ kind: 'changed' });
      expect(await store.keys.claim(claim, at(0))).toEqual({ kind: 'running' });
      expect(await store.orders.write(write)).toEqual({ kind: 'written' });
      await store.keys.release([claim]);
      expect(await store.keys.claim(claim, at(0))).toEqual({ kind: 'answered', reply: 'r' });
    });

    it('is made although a simultaneous one fails halfway', async () => {
      const store = await open();
      for (const [id, orderNo] of [
        ['cs_1', 'A'],
        ['cs_2', 'B'],
      ] as const) {
        await store.sessions.create(session(id, orderNo));
      }
      const written = starting(await store.orders.get('demo', 'A'), session('cs_1', 'A'), 'at_1');
      const half = starting(await store.orders.get('demo', 'B'), session('cs_2', 'B'), 'at_2');
      const failing = { ...half, after: { ...half.after, attempts: [...half.after.attempts, ...half.after.attempts] } };
      const writes = [store.orders.write(written), store.orders.write(failing)];
      const [made, failed] = await Promise.allSettled(writes);
      expect([made, failed]).toMatchObject([
        { status: 'fulfilled', value: { kind: 'written' } },
        { status: 'rejected' },
      ]);
      expect(await store.orders.get('demo', 'A')).toEqual(writtenOrder(written.before, written.after));
      expect(await store.orders.get('demo', 'B')).toEqual(half.before);
    });

    it('is made although another session of the order was changed', async () => {
      const store = await open();
      const two = session('cs_2');
      await store.sessions.create(one);
      await store.sessions.create(two);
      const before = await store.orders.get('demo', 'A');
      await store.sessions.change({ ...two, version: 2, revision: 2 });
      const { after, events } = starting(before, one, 'at_1');
      expect(await store.orders.write({ before, after, events })).toEqual({ kind: 'written' });
      expect(await store.sessions.get('cs_2')).toEqual({ ...two, version: 2, revision: 2 });
    });

    it('is made once of many simultaneous ones', async () => {
      const store = await open();
      await processing(store, 'cs_1', 'A');
      const before = await store.orders.get('demo', 'A');
      const writes = Array.from({ length: 8 }, (_, i) =>
        store.orders.write({ before, after: { ...before, queries: { failures: i } }, events: [event(`e${i}`)] }),
      );
      const kinds = (await Promise.all(writes)).map(({ kind }) => kind);
      expect(kinds.toSorted()).toEqual([...Array(7).fill('changed'), 'written']);
      const winner = kinds.indexOf('written');
      expect(await store.orders.get('demo', 'A')).toMatchObject({ version: 2, queries: { failures: winner } });
      expect(ids(await store.outbox.list({ account: 'demo', limit: 10 }))).toEqual([`e${winner}`]);
    });
  });
}
