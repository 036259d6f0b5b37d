import { describe, expect, it } from 'vitest';
import { StoreError } from '../../relay/base/errors.ts';
import { emptyOrder } from '../../relay/payments/order.ts';
import { retainedKinds } from '../../relay/store/facets/retention.ts';
import {
  answered,
  approve,
  at,
  attempt,
  claim,
  delivered,
  event,
  failed,
  moved,
  nextOperation,
  noAnswer,
  type Open,
  operation,
  processing,
  purgeOnce,
  refund,
  sent,
  session,
  unknown,
} from './fixtures.ts';

/** The operator's figures of the store, and the deletion of old data. */
export function upkeepBehaviour(open: Open): void {
  describe('the figures', () => {
    it('of an empty store are all zero', async () => {
      expect(await (await open()).stats.figures(at(0), ['demo'])).toEqual({
        unknown_sessions: 0,
        needs_attention: 0,
        unknown_operations: 0,
        pending_events: 0,
        failed_events: 0,
      });
    });

    it('count unknown, due, waiting and abandoned items, with their ages', async () => {
      const store = await open();
      for (const [id, more] of [
        ['one', { since: 3 }],
        ['two', { since: 2, needs_attention: true }],
      ] as const) {
        const started = await processing(store, id);
        const next_query_at = at(id === 'one' ? 20 : 30);
        await moved(store, started, unknown(`at_${id}`, more), () => ({ next_query_at }));
      }
      await store.operations.begin(operation('in_flight'), []);
      const lost = operation('op_1', { created_at: at(4) });
      await store.operations.begin(lost, []);
      await store.operations.finish({ operation: nextOperation(lost, noAnswer), events: [] });
      const onItsWay = operation('op_2', { name: 'payout' });
      await store.operations.begin(onItsWay, []);
      const taken = { status: 'answered', answer: {}, items: ['unknown'] } as const;
      await store.operations.finish({
        operation: nextOperation(onItsWay, { ...taken, items: ['unknown'] }),
        events: [],
      });
      await store.outbox.add([event('e1'), event('e2', 'e2', { created_at: at(5) }), event('e3'), event('e4')]);
      await store.outbox.writeDelivery(sent(event('e1')), delivered);
      await store.outbox.writeDelivery(sent(event('e3')), failed);
      const figures = {
        unknown_sessions: 2,
        unknown_since: at(2),
        needs_attention: 1,
        unknown_operations: 1,
        unknown_operations_since: at(4),
        pending_events: 2,
        pending_since: at(5),
        failed_events: 1,
      };
      expect(await store.stats.figures(at(10), ['demo'])).toEqual(figures);
      expect(await store.stats.figures(at(40), ['demo'])).toEqual({ ...figures, query_due_since: at(20) });
      expect(await store.stats.openBeside(['other'])).toEqual([{ account: 'demo', orders: 2, operations: 1 }]);
      expect(await store.stats.openBeside(['other', 'demo'])).toEqual([]);
    });

    it('include no overdue query of an unconfigured account', async () => {
      const store = await open();
      const next_query_at = at(20);
      await moved(store, await processing(store, 'one'), unknown('at_one'), () => ({ next_query_at }));
      expect(await store.stats.figures(at(40), ['demo'])).toHaveProperty('query_due_since', at(20));
      const figures = await store.stats.figures(at(40), ['other']);
      expect(figures).toMatchObject({ unknown_sessions: 1 });
      expect(figures).not.toHaveProperty('query_due_since');
    });
  });

  describe('a purge', () => {
    const purge = { before: at(100), counted_before: at(100), limit: 10 };

    it('deletes old finished data, but keeps which orders are paid', async () => {
      const store = await open();
      await approve(store, await processing(store, 'paid'));
      const done = operation('op_1');
      await store.operations.begin(done, [refund(1n)]);
      await store.operations.finish({ operation: nextOperation(done, answered), events: [] });
      await store.outbox.add([event('e1')]);
      await store.outbox.writeDelivery(sent(event('e1')), delivered);
      expect(await purgeOnce(store, { ...purge, before: at(0) })).toBe(false);
      expect(await store.sessions.get('paid')).toBeDefined();
      expect(await purgeOnce(store, purge)).toBe(false);
      expect(await store.sessions.get('paid')).toBeUndefined();
      expect(await store.orders.get('demo', 'paid')).toMatchObject({ hold: 'paid', sessions: [], attempts: [] });
      expect(await store.operations.get('op_1')).toBeUndefined();
      expect(await store.operations.refundsOf('demo', ['T'])).toEqual([]);
      expect(await store.outbox.get('demo', 'e1')).toBeUndefined();
      expect(await store.sessions.create(session('again', 'paid'))).toEqual({ kind: 'order_already_paid' });
    });

    it('keeps unsettled data, however old', async () => {
      const store = await open();
      await store.sessions.create(session('open', 'open'));
      await processing(store, 'processing');
      await moved(store, await processing(store, 'unknown'), unknown('at_unknown'));
      for (const id of ['notified', 'watched']) {
        const next_query_at = at(200);
        await moved(store, await processing(store, id), { status: 'failed' }, () => ({ hold: 'free', next_query_at }));
      }
      await store.operations.begin(operation('in_flight'), [refund(1n)]);
      const lost = operation('lost');
      await store.operations.begin(lost, []);
      await store.operations.finish({ operation: nextOperation(lost, noAnswer), events: [] });
      await store.outbox.add([event('e1')]);
      await purgeOnce(store, purge);
      for (const id of ['open', 'processing', 'unknown', 'notified', 'watched'])
        expect(await store.sessions.get(id)).toBeDefined();
      expect((await store.orders.get('demo', 'unknown')).attempts).toHaveLength(1);
      for (const id of ['in_flight', 'lost']) expect(await store.operations.get(id)).toBeDefined();
      expect(await store.outbox.get('demo', 'e1')).toBeDefined();
    });

    it('keeps the refunds of a payment until all can be deleted', async () => {
      const store = await open();
      await approve(store, await processing(store, 'cs_1'));
      const [first, second] = [operation('op_1'), operation('op_2', { created_at: at(150) })];
      for (const one of [first, second]) {
        await store.operations.begin(one, [refund(300n)]);
        await store.operations.finish({ operation: nextOperation(one, answered), events: [] });
      }
      await purgeOnce(store, purge);
      expect(await store.operations.get('op_1')).toBeDefined();
      expect(await store.operations.begin(operation('op_3'), [refund(401n, 9000n)])).toMatchObject({ left: 400n });
      await purgeOnce(store, { ...purge, before: at(200) });
      expect(await store.operations.get('op_2')).toBeUndefined();
      expect(await store.operations.begin(operation('op_3'), [refund(401n, 9000n)])).toMatchObject({ left: 400n });
    });

    it('remembers a payout’s request_id, unless the payout had no effect', async () => {
      const store = await open();
      const payout = (id: string, request_id: string) => operation(id, { name: 'payout', request_id });
      const [done, nothing] = [payout('op_1', 'r-1'), payout('op_2', 'r-2')];
      for (const one of [done, nothing]) await store.operations.begin(one, []);
      await store.operations.finish({ operation: nextOperation(done, answered), events: [] });
      await store.operations.finish({ operation: nextOperation(nothing, { status: 'not_sent' }), events: [] });
      expect(await store.operations.begin(payout('op_3', 'r-1'), [])).toEqual({ kind: 'request_id_used', id: 'op_1' });
      await purgeOnce(store, purge);
      expect(await store.operations.get('op_1')).toBeUndefined();
      expect(await store.operations.begin(payout('op_4', 'r-1'), [])).toEqual({ kind: 'request_id_used' });
      expect(await store.operations.begin(payout('op_5', 'r-2'), [])).toEqual({ kind: 'begun' });
      const elsewhere = { ...payout('op_6', 'r-1'), account: 'other' };
      expect(await store.operations.begin(elsewhere, [])).toEqual({ kind: 'begun' });
    });

    it('remembers the refunded amount of a payment and its original amount', async () => {
      const store = await open();
      const [first, failed, second] = [
        operation('op_1'),
        operation('op_2'),
        operation('op_3', { created_at: at(150) }),
      ];
      await store.operations.begin(first, [refund(300n), refund(100n, 900n)]);
      await store.operations.begin(failed, [refund(50n)]);
      await store.operations.finish({ operation: nextOperation(first, answered), counted: [true, true], events: [] });
      const nothing = nextOperation(failed, { status: 'refused', evidence: {} });
      await store.operations.finish({ operation: nothing, counted: [false], events: [] });
      await purgeOnce(store, purge);
      expect(await store.operations.refundsOf('demo', ['T'])).toEqual([]);
      expect(await store.operations.begin(operation('no'), [refund(501n, 5000n)])).toMatchObject({ left: 500n });
      expect(await store.operations.begin(operation('no'), [refund(1n, 900n, 'USD')])).toMatchObject({
        currency: 'BRL',
      });
      expect(await store.operations.begin(second, [refund(200n)])).toEqual({ kind: 'begun' });
      await store.operations.finish({ operation: nextOperation(second, answered), events: [] });
      await purgeOnce(store, { ...purge, before: at(200) });
      expect(await store.operations.get('op_3')).toBeUndefined();
      expect(await store.operations.begin(operation('no'), [refund(301n)])).toMatchObject({ left: 300n });
      expect(await store.operations.begin(operation('op_4', { account: 'other' }), [refund(501n)])).toEqual({
        kind: 'begun',
      });
    });

    it('remembers the amount of the relay’s own payment', async () => {
      const store = await open();
      await approve(store, await processing(store, 'cs_1'));
      const one = operation('op_1');
      await store.operations.begin(one, [refund(300n, 400n)]);
      await store.operations.finish({ operation: nextOperation(one, answered), events: [] });
      for (let steps = 0; steps < 2; steps++) await purgeOnce(store, purge);
      expect(await store.sessions.get('cs_1')).toBeUndefined();
      expect(await store.operations.begin(operation('no'), [refund(701n, 9000n)])).toMatchObject({ left: 700n });
      expect(await store.operations.begin(operation('op_2'), [refund(700n, 9000n)])).toEqual({ kind: 'begun' });
    });

    it('keeps every session of an order that is still held', async () => {
      const store = await open();
      await store.sessions.create({ ...session('old', 'A'), state: { status: 'failed' } });
      await processing(store, 'cs_2', 'A');
      await purgeOnce(store, purge);
      expect(await store.sessions.get('old')).toBeDefined();
    });

    it('keeps every session of an order that is still queried', async () => {
      const store = await open();
      for (const id of ['sister', 'watched']) {
        const started = await processing(store, id, 'W');
        await moved(store, started, { status: 'failed' }, () => ({ hold: 'free', next_query_at: at(200) }));
      }
      await purgeOnce(store, purge);
      expect((await store.orders.get('demo', 'W')).attempts).toHaveLength(2);
      const before = await store.orders.get('demo', 'W');
      const { next_query_at: _, ...after } = before;
      await store.orders.write({ before, after, events: [] });
      await purgeOnce(store, purge);
      expect(await store.orders.get('demo', 'W')).toEqual(emptyOrder('demo', 'W'));
    });

    it('keeps no session for a query that was due long ago', async () => {
      const store = await open();
      const started = await processing(store, 'left', 'L');
      await moved(store, started, { status: 'failed' }, () => ({ hold: 'free', next_query_at: at(1) }));
      await purgeOnce(store, purge);
      expect(await store.orders.get('demo', 'L')).toEqual(emptyOrder('demo', 'L'));
    });

    it('runs in small steps, and reports when more may remain', async () => {
      const store = await open();
      for (let i = 0; i < 5; i++)
        await store.sessions.create({ ...session(`cs_${i}`, `${i}`), state: { status: 'expired' } });
      const steps: boolean[] = [];
      for (let i = 0; i < 3; i++) steps.push(await purgeOnce(store, { ...purge, limit: 2 }));
      expect(steps).toEqual([true, true, false]);
      for (let i = 0; i < 5; i++) expect(await store.sessions.get(`cs_${i}`)).toBeUndefined();
    });

    it('deletes attempts that were counted before their time', async () => {
      const store = await open();
      const quota = { name: 'card', key: 'k', max: 1, window_ms: 1_000_000 } as const;
      const pay = async (id: string) => {
        const before = await store.orders.get('demo', id);
        const open = session(id, id);
        const after = { ...before, sessions: [open], attempts: [attempt(`at_${id}`, open)] };
        return (await store.orders.write({ before, after, events: [], quotas: { counted: [quota], at: at(0) } })).kind;
      };
      expect(await pay('a')).toBe('written');
      expect(await pay('b')).toBe('limited');
      await purgeOnce(store, { ...purge, counted_before: at(0) });
      expect(await pay('c')).toBe('limited');
      await purgeOnce(store, purge);
      expect(await pay('d')).toBe('written');
    });
  });

  describe('what is overdue', () => {
    const kinds = retainedKinds.filter((kind) => kind !== 'counted');
    const before = at(100);

    it('is nothing in an empty store', async () => {
      const store = await open();
      expect(await store.retention.overdue(kinds.map((kind) => ({ kind, before })))).toEqual(new Map());
    });

    it('has the time of the oldest row of each kind', async () => {
      const store = await open();
      await processing(store, 'held');
      for (const [id, seconds] of [
        ['first', 5],
        ['second', 6],
      ] as const) {
        await store.sessions.create({ ...session(id, id), created_at: at(seconds), state: { status: 'expired' } });
      }
      const done = operation('op_1', { created_at: at(7) });
      for (const one of [operation('in_flight'), done]) await store.operations.begin(one, []);
      await store.operations.finish({ operation: nextOperation(done, answered), events: [] });
      await store.outbox.add([event('pending'), event('e1', 'e1', { created_at: at(8) })]);
      await store.outbox.writeDelivery(sent(event('e1')), delivered);
      await store.keys.claim({ ...claim, claimed_at: at(9) }, at(0));
      await store.keys.answer({ ...claim, reply: 'r' });
      const walks = kinds.map((kind) => ({ kind, before }));
      const since = { sessions: at(5), operations: at(7), webhooks: at(8), keys: at(9) };
      expect(Object.fromEntries(await store.retention.overdue(walks))).toEqual(since);
      const later = [{ kind: 'sessions', before, after: [at(5), 'first'] }] as const;
      expect(Object.fromEntries(await store.retention.overdue(later))).toEqual({ sessions: at(6) });
      for (const walk of walks) await store.retention.purge({ ...walk, limit: 10 });
      expect(await store.retention.overdue(walks)).toEqual(new Map());
    });
  });

  describe('a walk through old sessions', () => {
    const purge = { kind: 'sessions', before: at(100), limit: 3 } as const;

    it('goes on after its place, past what stays', async () => {
      const store = await open();
      for (const id of ['a', 'c', 'e'])
        await store.sessions.create({ ...session(id, id), state: { status: 'expired' } });
      for (const id of ['b', 'd']) await processing(store, id);
      const first = await store.retention.purge(purge);
      expect(first).toMatchObject({ isMore: true, last: [at(0), 'c'] });
      const second = await store.retention.purge({ ...purge, ...(first.last ? { after: first.last } : {}) });
      expect(second).toMatchObject({ isMore: false, last: [at(0), 'e'] });
      for (const id of ['a', 'c', 'e']) expect(await store.sessions.get(id), id).toBeUndefined();
      for (const id of ['b', 'd']) expect(await store.sessions.get(id), id).toBeDefined();
      const third = await store.retention.purge({ ...purge, ...(second.last ? { after: second.last } : {}) });
      expect(third).toMatchObject({ isMore: false, last: [at(0), 'e'] });
    });
  });

  describe('the store', () => {
    it('reports that it works, and StoreError once it is closed', async () => {
      const store = await open();
      await expect(store.check()).resolves.toBeUndefined();
      await store.close();
      await store.close();
      await expect(store.check()).rejects.toBeInstanceOf(StoreError);
      await expect(store.sessions.get('cs_1')).rejects.toBeInstanceOf(StoreError);
    });
  });
}
