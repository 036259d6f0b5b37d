import { describe, expect, it } from 'vitest';
import { emptyOrder, type OrderPayment, type StoredOrder } from '../../../relay/payments/order.ts';
import {
  at,
  attempt,
  claim,
  event,
  ids,
  moved,
  type Open,
  processing,
  session,
  starting,
  unknown,
} from '../fixtures.ts';

const payment = (transaction_id: string, amount = '10.00'): OrderPayment => ({
  transaction_id,
  amount,
  currency: 'BRL',
  attempt_id: 'at_cs_1',
  proof: 'record',
  date: at(5),
});

/** The stored state of an order, written as a whole. */
export function orderBehaviour(open: Open): void {
  describe('an order', () => {
    it('that is unknown is empty', async () => {
      const store = await open();
      expect(await store.orders.get('demo', 'A')).toEqual(emptyOrder('demo', 'A'));
      const one = session('cs_1');
      await store.sessions.create(one);
      expect(await store.orders.get('demo', 'A')).toEqual({ ...emptyOrder('demo', 'A'), sessions: [one] });
    });

    it('is read as it was written', async () => {
      const store = await open();
      const started = await processing(store, 'cs_1', 'A');
      const before = await store.orders.get('demo', 'A');
      expect(before).toMatchObject({ version: 1, hold: 'held', sessions: [started] });
      expect(before.attempts).toEqual([attempt('at_cs_1', started)]);
      const record = { transaction_id: 'T1', payment_status: '77', amount: '10.00', currency: 'BRL' };
      const change: Partial<StoredOrder> = {
        payments: [payment('T0')],
        wasPaid: true,
        undecided: { reason: 'codes_not_listed', since: at(3), records: [record] },
        decided: [record, { ...record, transaction_id: 'é \0 \ud83d' }],
        queries: { last: { at: at(4), counted: false, fault: 'query_unanswered' }, failures: 2, apart: true },
        noticed: 3,
        next_query_at: at(9),
      };
      expect(await store.orders.write({ before, after: { ...before, ...change }, events: [] })).toEqual({
        kind: 'written',
      });
      expect(await store.orders.get('demo', 'A')).toEqual({ ...before, ...change, version: 2 });
      const written = await store.orders.get('demo', 'A');
      const { wasPaid: _, undecided: __, next_query_at: ___, ...rest } = written;
      await store.orders.write({ before: written, after: rest, events: [] });
      expect(await store.orders.get('demo', 'A')).toEqual({ ...rest, version: 3 });
    });

    it('returns its sessions and attempts in order of their start', async () => {
      const store = await open();
      await processing(store, 'cs_2', 'A');
      const before = await store.orders.get('demo', 'A');
      await store.orders.write(starting(before, session('cs_1'), 'at_0', at(1)));
      const after = await store.orders.get('demo', 'A');
      expect(ids(after.attempts)).toEqual(['at_cs_2', 'at_0']);
      expect(ids(after.sessions)).toEqual(['cs_1', 'cs_2']);
      expect((await store.orders.get('other', 'A')).attempts).toEqual([]);
    });

    it('is written by one of many simultaneous writers', async () => {
      const store = await open();
      const one = session('cs_1');
      await store.sessions.create(one);
      const before = await store.orders.get('demo', 'A');
      const tries = Array.from({ length: 8 }, (_, i) => store.orders.write(starting(before, one, `at_${i}`)));
      const kinds = (await Promise.all(tries)).map(({ kind }) => kind);
      expect(kinds.toSorted()).toEqual([...Array(7).fill('changed'), 'written']);
      const after = await store.orders.get('demo', 'A');
      expect(after).toMatchObject({ version: 1, hold: 'held' });
      expect(after.attempts).toHaveLength(1);
    });

    it('is held by one of many payments of new sessions', async () => {
      const store = await open();
      const before = await store.orders.get('demo', 'A');
      const tries = Array.from({ length: 8 }, (_, i) =>
        store.orders.write(starting(before, session(`cs_${i}`), `at_${i}`)),
      );
      const kinds = (await Promise.all(tries)).map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === 'written')).toHaveLength(1);
      const { sessions, attempts } = await store.orders.get('demo', 'A');
      expect([sessions.length, attempts.length]).toEqual([1, 1]);
    });

    it('keeps nothing of a write that is too late', async () => {
      const store = await open();
      const started = await processing(store, 'cs_1', 'A');
      const before = await store.orders.get('demo', 'A');
      await moved(store, started, { status: 'open' }, () => ({ hold: 'free' }));
      const now = await store.orders.get('demo', 'A');
      await store.keys.claim(claim, at(0));
      const late = {
        ...starting(before, session('cs_2'), 'at_late'),
        events: [event('too_late')],
        quotas: { counted: [{ name: 'ip', key: 'k', max: 1, window_ms: 60_000 }], at: at(0) },
        lead: { key: claim, subject: 'cs_2' },
      } as const;
      expect(await store.orders.write(late)).toEqual({ kind: 'changed' });
      expect(await store.orders.get('demo', 'A')).toEqual(now);
      expect(await store.sessions.get('cs_2')).toBeUndefined();
      expect(await store.outbox.leaseDue('demo', 'default', at(1), at(60), 10)).toEqual([]);
      expect(await store.quotas.check(late.quotas.counted, at(1))).toBeUndefined();
      expect(await store.keys.claim(claim, at(0))).toEqual({ kind: 'running' });
    });

    it('is not written if its changed session was changed meanwhile', async () => {
      const store = await open();
      const one = session('cs_1');
      await store.sessions.create(one);
      const before = await store.orders.get('demo', 'A');
      await store.sessions.change({ ...one, version: 2, revision: 2 });
      expect(await store.orders.write(starting(before, one, 'at_1'))).toEqual({ kind: 'changed' });
      expect((await store.orders.get('demo', 'A')).attempts).toEqual([]);
      const again = await store.orders.get('demo', 'A');
      const [changed] = again.sessions;
      expect(changed && (await store.orders.write(starting(again, changed, 'at_1')))).toEqual({ kind: 'written' });
    });

    it('increases a session’s version only with the session’s own changes', async () => {
      const store = await open();
      await store.sessions.create(session('cs_2'));
      const started = await processing(store, 'cs_1', 'A');
      await moved(store, started, unknown('at_cs_1'));
      expect((await store.sessions.get('cs_1'))?.version).toBe(3);
      expect((await store.sessions.get('cs_2'))?.version).toBe(1);
      expect((await store.orders.get('demo', 'A')).version).toBe(2);
    });

    it('has its webhooks written with its change', async () => {
      const store = await open();
      const before = await store.orders.get('demo', 'A');
      await store.orders.write({ ...starting(before, session('cs_1'), 'at_1'), events: [event('e1')] });
      expect(ids(await store.outbox.leaseDue('demo', 'default', at(1), at(60), 10))).toEqual(['e1']);
    });

    it('is created with its payment, linked to the key', async () => {
      const store = await open();
      await store.keys.claim(claim, at(0));
      const before = await store.orders.get('demo', 'A');
      const write = { ...starting(before, session('cs_1'), 'at_1'), lead: { key: claim, subject: 'cs_1' } };
      expect(await store.orders.write(write)).toEqual({ kind: 'written' });
      expect(await store.keys.claim(claim, at(0))).toEqual({ kind: 'running', subject: 'cs_1' });
    });

    it('is not written if its key was lost', async () => {
      const store = await open();
      await store.keys.claim({ ...claim, claimed_at: at(7200) }, at(0));
      const before = await store.orders.get('demo', 'A');
      const write = { ...starting(before, session('cs_1'), 'at_1'), lead: { key: claim, subject: 'cs_1' } };
      expect(await store.orders.write(write)).toEqual({ kind: 'key_lost' });
      expect(await store.sessions.get('cs_1')).toBeUndefined();
      expect(await store.orders.get('demo', 'A')).toMatchObject({ hold: 'free', attempts: [] });
      expect(await store.orders.write(starting(await store.orders.get('demo', 'A'), session('cs_1'), 'at_1'))).toEqual({
        kind: 'written',
      });
    });
  });
}
