import { describe, expect, it } from 'vitest';
import type { Lease } from '../../../relay/store/leases.ts';
import type { Store } from '../../../relay/store/store.ts';
import {
  at,
  dueAt,
  ids,
  lease,
  moved,
  nextOperation,
  noAnswer,
  notification,
  type Open,
  operation,
  processing,
  session,
} from '../fixtures.ts';

/** How several relays share the background work. */
export function leaseBehaviour(open: Open): void {
  const quiet = at(-1);
  const due = async (store: Store, work: Lease, quietSince = quiet, accounts = ['demo']): Promise<string[]> =>
    (await store.orders.leaseDue(work, accounts, quietSince)).map(({ order_no }) => order_no);

  describe('a lease of due orders', () => {
    it('returns due orders of the requested accounts', async () => {
      const store = await open();
      await store.sessions.create(session('open', 'open'));
      await processing(store, 'processing');
      await dueAt(store, 10);
      expect(await due(store, lease(9, 99))).toEqual([]);
      expect(await due(store, lease(10, 99), quiet, ['other'])).toEqual([]);
      expect(await due(store, lease(10, 99), quiet, [])).toEqual([]);
      expect(await due(store, lease(10, 99), quiet, ['other', 'demo'])).toEqual(['u10']);
    });

    it('returns the longest due first, up to the requested number', async () => {
      const store = await open();
      await dueAt(store, 3, 1, 2);
      expect(await due(store, lease(9, 99, 2))).toEqual(['u1', 'u2']);
      expect(await due(store, lease(9, 99, 2))).toEqual(['u3']);
    });

    it('gives an order to no other relay before it ends', async () => {
      const store = await open();
      await dueAt(store, 1);
      expect(await due(store, lease(1, 60), quiet)).toEqual(['u1']);
      expect(await due(store, lease(59, 99), at(58))).toEqual([]);
      expect(await due(store, lease(60, 99), at(59))).toEqual(['u1']);
    });

    it('is extended by a renewal, which starts no new lease', async () => {
      const store = await open();
      await dueAt(store, 1, 2);
      expect(await due(store, lease(2, 60, 1))).toEqual(['u1']);
      const both = ['u1', 'u2'].map((order_no) => ({ account: 'demo', order_no }));
      await store.orders.renewLeases(both, lease(2, 90));
      expect(await due(store, lease(60, 70), at(59))).toEqual(['u2']);
      expect(await due(store, lease(90, 99), at(89))).toEqual(['u1', 'u2']);
    });

    it('returns an order again only after a pause', async () => {
      const store = await open();
      await dueAt(store, 1);
      await due(store, lease(5, 60));
      await store.orders.release({ account: 'demo', order_no: 'u1' }, at(4));
      expect(await due(store, lease(6, 60), at(4))).toEqual([]);
      expect(await due(store, lease(7, 60), at(5))).toEqual(['u1']);
    });

    it('ends with a write that says so, and no other', async () => {
      const store = await open();
      await dueAt(store, 1);
      await due(store, lease(1, 60));
      const write = async (release: { release?: string }) => {
        const before = await store.orders.get('demo', 'u1');
        return store.orders.write({ before, after: before, events: [], ...release });
      };
      await write({});
      expect(await due(store, lease(9, 60), at(8))).toEqual([]);
      await write({ release: at(8) });
      expect(await due(store, lease(9, 60), at(8))).toEqual(['u1']);
    });

    it('does not end with a write that fails', async () => {
      const store = await open();
      await dueAt(store, 1);
      const before = await store.orders.get('demo', 'u1');
      await store.notifications.add(notification('u1', 1));
      await due(store, lease(1, 60));
      expect(await store.orders.write({ before, after: before, events: [], release: at(8) })).toEqual({
        kind: 'changed',
      });
      expect(await due(store, lease(9, 60), at(8))).toEqual([]);
    });

    it('gives each order to one of many concurrent callers', async () => {
      const store = await open();
      await dueAt(store, 1, 2, 3, 4, 5, 6);
      const shares = await Promise.all(Array.from({ length: 6 }, () => due(store, lease(9, 99, 2))));
      const rest = await due(store, lease(9, 99));
      expect([...shares.flat(), ...rest].toSorted()).toEqual(['u1', 'u2', 'u3', 'u4', 'u5', 'u6']);
    });

    it('returns an order that a notification made due', async () => {
      const store = await open();
      await processing(store, 'cs_1', 'A');
      expect(await due(store, lease(9, 60))).toEqual([]);
      await store.notifications.add(notification('cs_1', 5));
      expect(await due(store, lease(4, 60))).toEqual([]);
      expect(await due(store, lease(5, 60))).toEqual(['A']);
    });
  });

  describe('a lease of one order', () => {
    const key = { account: 'demo', order_no: 'A' };

    it('is given to one caller at a time, with a pause between', async () => {
      const store = await open();
      await processing(store, 'cs_1', 'A');
      expect(await store.orders.lease(key, lease(5, 60), at(3))).toEqual({ kind: 'leased' });
      expect(await store.orders.lease(key, lease(6, 70), at(4))).toEqual({ kind: 'wait', until: at(60) });
      await store.orders.release(key, at(6));
      expect(await store.orders.lease(key, lease(7, 70), at(5))).toEqual({ kind: 'wait', until: at(6) });
      expect(await store.orders.lease(key, lease(8, 70), at(6))).toEqual({ kind: 'leased' });
      expect(await store.orders.lease(key, lease(70, 99), at(68))).toEqual({ kind: 'leased' });
    });

    it('keeps the order from other pollers', async () => {
      const store = await open();
      await dueAt(store, 1);
      const one = { account: 'demo', order_no: 'u1' };
      expect(await store.orders.lease(one, lease(5, 60), at(3))).toEqual({ kind: 'leased' });
      expect(await due(store, lease(9, 60), at(7))).toEqual([]);
      await store.orders.release(one, at(6));
      expect(await due(store, lease(9, 60), at(7))).toEqual(['u1']);
      expect(await store.orders.lease(one, lease(12, 99), at(10))).toEqual({ kind: 'wait', until: at(60) });
    });

    it('is given to one of many simultaneous callers', async () => {
      const store = await open();
      await processing(store, 'cs_1', 'A');
      const tries = Array.from({ length: 6 }, () => store.orders.lease(key, lease(5, 60), at(3)));
      const kinds = (await Promise.all(tries)).map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === 'leased')).toHaveLength(1);
    });

    it('is given for an unknown order without creating it', async () => {
      const store = await open();
      for (const second of [5, 6]) {
        expect(await store.orders.lease(key, lease(second, 60), at(3))).toEqual({ kind: 'leased' });
      }
      await store.orders.release(key, at(6));
      expect(await store.orders.get('demo', 'A')).toMatchObject({ version: 0 });
    });

    it('ends with a release that reports an earlier query', async () => {
      const store = await open();
      await processing(store, 'cs_1', 'A');
      await store.orders.lease(key, lease(5, 60), at(3));
      await store.orders.release(key, at(4));
      expect(await store.orders.lease(key, lease(6, 60), at(4))).toEqual({ kind: 'wait', until: at(5) });
      expect(await store.orders.lease(key, lease(6, 60), at(5))).toEqual({ kind: 'leased' });
    });

    it('changes nothing that a writer compares', async () => {
      const store = await open();
      await processing(store, 'cs_1', 'A');
      const before = await store.orders.get('demo', 'A');
      await store.orders.lease(key, lease(5, 60), at(3));
      expect(await store.orders.get('demo', 'A')).toEqual(before);
    });
  });

  describe('a lease', () => {
    it('of expirable sessions returns open ones that have expired', async () => {
      const store = await open();
      await store.sessions.create(session('open', 'open'));
      await processing(store, 'processing');
      expect(await store.sessions.leaseExpirable(lease(86_399, 99_999))).toEqual([]);
      const [found, ...more] = await store.sessions.leaseExpirable(lease(86_400, 86_500));
      expect(found).toEqual(session('open', 'open'));
      expect(more).toEqual([]);
      expect(await store.sessions.leaseExpirable(lease(86_499, 99_999))).toEqual([]);
      expect(ids(await store.sessions.leaseExpirable(lease(86_500, 99_999)))).toEqual(['open']);
      await moved(store, session('open', 'open'), { status: 'expired' });
      expect(await store.sessions.leaseExpirable(lease(99_999, 199_999))).toEqual([]);
    });

    it('of a session ends when the session is changed', async () => {
      const store = await open();
      const one = session('open', 'open');
      await store.sessions.create(one);
      expect(await store.sessions.leaseExpirable(lease(86_400, 99_999))).toHaveLength(1);
      await store.sessions.change({ ...one, version: 2, revision: 2 });
      expect(await store.sessions.leaseExpirable(lease(86_401, 99_999))).toHaveLength(1);
    });

    it('gives each session to one of many concurrent callers', async () => {
      const store = await open();
      const all = ['cs_0', 'cs_1', 'cs_2', 'cs_3', 'cs_4', 'cs_5'];
      for (const id of all) await store.sessions.create(session(id, id));
      const shares = Array.from({ length: 6 }, () => store.sessions.leaseExpirable(lease(86_400, 99_999, 2)));
      const given = ids((await Promise.all(shares)).flat());
      const rest = ids(await store.sessions.leaseExpirable(lease(86_400, 99_999)));
      expect([...given, ...rest].toSorted()).toEqual(all);
    });

    it('of orphaned and of due operations works alike', async () => {
      const store = await open();
      await store.operations.begin(operation('op_1'), []);
      await store.operations.begin(operation('op_2', { created_at: at(9) }), []);
      expect(ids(await store.operations.leaseOrphaned(lease(10, 60), at(5)))).toEqual(['op_1']);
      expect(ids(await store.operations.leaseOrphaned(lease(59, 99), at(5)))).toEqual([]);
      expect(ids(await store.operations.leaseOrphaned(lease(60, 99), at(5)))).toEqual(['op_1']);

      const lookup = { before: [], asked_at: at(0), next_look_at: at(70), looks: 0 };
      const lost = nextOperation(operation('op_1'), noAnswer, { lookup });
      expect(await store.operations.finish({ operation: lost, events: [] })).toBe(true);
      expect(ids(await store.operations.leaseDue(lease(69, 99), ['demo']))).toEqual([]);
      expect(ids(await store.operations.leaseDue(lease(70, 80), ['other']))).toEqual([]);
      expect(ids(await store.operations.leaseDue(lease(70, 80), ['demo']))).toEqual(['op_1']);
      expect(ids(await store.operations.leaseDue(lease(79, 99), ['demo']))).toEqual([]);
      expect(ids(await store.operations.leaseDue(lease(80, 85), ['demo']))).toEqual(['op_1']);
      await store.operations.renewLeases(['op_1', 'op_2'], lease(84, 99));
      expect(ids(await store.operations.leaseDue(lease(98, 105), ['demo']))).toEqual([]);
      // An operation without a lease stays free.
      expect(ids(await store.operations.leaseOrphaned(lease(84, 99), at(10)))).toEqual(['op_2']);
      await store.operations.finish({ operation: nextOperation(lost, noAnswer), events: [] });
      expect(ids(await store.operations.leaseDue(lease(81, 99), ['demo']))).toEqual(['op_1']);
      await store.operations.finish({
        operation: { ...nextOperation(lost, noAnswer), version: 4, lookup: { ...lookup, next_look_at: at(90) } },
        events: [],
      });
      expect(ids(await store.operations.leaseDue(lease(89, 99), ['demo']))).toEqual([]);
    });
  });

  describe('a lease or plan by a clock that was an hour ahead', () => {
    const HOUR = 3600;

    it('delays no order’s query', async () => {
      const store = await open();
      const key = { account: 'demo', order_no: 'u1' };
      await dueAt(store, 1);
      expect(await due(store, lease(HOUR, HOUR + 60), at(HOUR - 2))).toEqual(['u1']);
      expect(await due(store, lease(10, 70), at(8))).toEqual(['u1']);
      expect(await due(store, lease(11, 71), at(9))).toEqual([]);
      await store.orders.lease(key, lease(HOUR, HOUR + 60), at(HOUR - 2));
      expect(await store.orders.lease(key, lease(12, 72), at(10))).toEqual({ kind: 'leased' });
      await store.orders.release(key, at(HOUR));
      expect(await store.orders.lease(key, lease(14, 74), at(12))).toEqual({ kind: 'leased' });
      expect(await store.orders.lease(key, lease(15, 75), at(13))).toEqual({ kind: 'wait', until: at(74) });
    });

    it('of orders is due', async () => {
      const store = await open();
      await dueAt(store, 1);
      const plan = async (next: number, planned: number) => {
        const before = await store.orders.get('demo', 'u1');
        const after = { ...before, next_query_at: at(next), planned_at: at(planned) };
        expect(await store.orders.write({ before, after, events: [], release: at(10) })).toEqual({ kind: 'written' });
        expect(await store.orders.get('demo', 'u1')).toMatchObject({
          next_query_at: at(next),
          planned_at: at(planned),
        });
      };
      await plan(HOUR + 60, HOUR);
      expect(await due(store, lease(10, 70), at(8))).toEqual(['u1']);
      await plan(HOUR + 60, 10);
      expect(await due(store, lease(20, 80), at(18))).toEqual([]);
      await store.notifications.add(notification('u1', HOUR));
      expect(await due(store, lease(20, 80), at(18))).toEqual(['u1']);
    });

    it('delays no session’s end', async () => {
      const store = await open();
      const one = session('open', 'open');
      await store.sessions.create({ ...one, expires_at: at(5) });
      expect(ids(await store.sessions.leaseExpirable(lease(HOUR, HOUR + 60)))).toEqual(['open']);
      expect(ids(await store.sessions.leaseExpirable(lease(10, 70)))).toEqual(['open']);
      expect(await store.sessions.leaseExpirable(lease(11, 71))).toEqual([]);
    });

    it('delays no operation’s takeover and search', async () => {
      const store = await open();
      await store.operations.begin(operation('op_1', { created_at: at(HOUR) }), []);
      expect(ids(await store.operations.leaseOrphaned(lease(HOUR + 60, HOUR + 120), at(HOUR + 30)))).toEqual(['op_1']);
      expect(ids(await store.operations.leaseOrphaned(lease(10, 70), at(-30)))).toEqual(['op_1']);
      expect(await store.operations.leaseOrphaned(lease(11, 71), at(-30))).toEqual([]);
      const lookup = { before: [], asked_at: at(HOUR), since: at(HOUR), next_look_at: at(HOUR + 60), looks: 0 };
      const lost = nextOperation(operation('op_1'), noAnswer, { lookup });
      await store.operations.finish({ operation: lost, events: [] });
      expect(ids(await store.operations.leaseDue(lease(12, 72), ['demo']))).toEqual(['op_1']);
      expect(await store.operations.leaseDue(lease(13, 73), ['demo'])).toEqual([]);
      const again = { ...lookup, looks: 1, last_look: { at: at(14), found: 'absent' } as const };
      const planned = nextOperation(lost, noAnswer, { lookup: again });
      await store.operations.finish({ operation: planned, events: [] });
      expect(await store.operations.leaseDue(lease(15, 75), ['demo'])).toEqual([]);
    });
  });
}
