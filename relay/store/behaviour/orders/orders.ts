import { describe, expect, it } from 'vitest';
import { emptyOrder, type Order, type Payment } from '../../../payments/order.ts';
import type { Session } from '../../../payments/session.ts';
import type { Store } from '../../store.ts';
import {
  approve,
  at,
  attempt,
  claim,
  event,
  ids,
  moved,
  type Open,
  operation,
  processing,
  refund,
  session,
  starting,
  unknown,
} from '../fixtures.ts';

const payment = (transaction_id: string, amount = '10.00'): Payment => ({
  transaction_id,
  amount,
  currency: 'BRL',
  attempt_id: 'at_cs_1',
  proof: 'record',
  date: at(5),
});

/** Writes the one payment of a session's order, in place of the one before. */
function payingOf(store: Store, { account, order_no }: Session): (payment: Payment) => Promise<void> {
  return async (paid) => {
    const before = await store.order(account, order_no);
    const after: Order = { ...before, hold: 'paid', payments: [paid] };
    expect(await store.writeOrder({ before, after, events: [] })).toEqual({ kind: 'written' });
  };
}

/** What is known of an order, written as a whole. */
export function orderBehaviour(open: Open): void {
  describe('an order', () => {
    it('of which nothing is known is empty', async () => {
      const store = await open();
      expect(await store.order('demo', 'A')).toEqual(emptyOrder('demo', 'A'));
      const one = session('cs_1');
      await store.createSession(one);
      expect(await store.order('demo', 'A')).toEqual({ ...emptyOrder('demo', 'A'), sessions: [one] });
    });

    it('is read as it was written', async () => {
      const store = await open();
      const started = await processing(store, 'cs_1', 'A');
      const before = await store.order('demo', 'A');
      expect(before).toMatchObject({ version: 1, hold: 'held', sessions: [started] });
      expect(before.attempts).toEqual([attempt('at_cs_1', started)]);
      const record = { transaction_id: 'T1', payment_status: '77', amount: '10.00', currency: 'BRL' };
      const change: Partial<Order> = {
        payments: [payment('T0')],
        wasPaid: true,
        undecided: { reason: 'codes_not_listed', since: at(3), records: [record] },
        decided: [record, { ...record, transaction_id: 'é \0 \ud83d' }],
        queries: { last: { at: at(4), counted: false, fault: 'query_unanswered' }, failures: 2, apart: true },
        noticed: 3,
        next_query_at: at(9),
      };
      expect(await store.writeOrder({ before, after: { ...before, ...change }, events: [] })).toEqual({
        kind: 'written',
      });
      expect(await store.order('demo', 'A')).toEqual({ ...before, ...change, version: 2 });
      const written = await store.order('demo', 'A');
      const { wasPaid: _, undecided: __, next_query_at: ___, ...rest } = written;
      await store.writeOrder({ before: written, after: rest, events: [] });
      expect(await store.order('demo', 'A')).toEqual({ ...rest, version: 3 });
    });

    it('has its sessions and attempts in the order in which they began', async () => {
      const store = await open();
      await processing(store, 'cs_2', 'A');
      const before = await store.order('demo', 'A');
      await store.writeOrder(starting(before, session('cs_1'), 'at_0', at(1)));
      const after = await store.order('demo', 'A');
      expect(ids(after.attempts)).toEqual(['at_cs_2', 'at_0']);
      expect(ids(after.sessions)).toEqual(['cs_1', 'cs_2']);
      expect((await store.order('other', 'A')).attempts).toEqual([]);
    });

    it('is written by one of many at the same moment', async () => {
      const store = await open();
      const one = session('cs_1');
      await store.createSession(one);
      const before = await store.order('demo', 'A');
      const tries = Array.from({ length: 8 }, (_, i) => store.writeOrder(starting(before, one, `at_${i}`)));
      const kinds = (await Promise.all(tries)).map(({ kind }) => kind);
      expect(kinds.toSorted()).toEqual([...Array(7).fill('changed'), 'written']);
      const after = await store.order('demo', 'A');
      expect(after).toMatchObject({ version: 1, hold: 'held' });
      expect(after.attempts).toHaveLength(1);
    });

    it('is held by one of many payments of new sessions', async () => {
      const store = await open();
      const before = await store.order('demo', 'A');
      const tries = Array.from({ length: 8 }, (_, i) =>
        store.writeOrder(starting(before, session(`cs_${i}`), `at_${i}`)),
      );
      const kinds = (await Promise.all(tries)).map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === 'written')).toHaveLength(1);
      const { sessions, attempts } = await store.order('demo', 'A');
      expect([sessions.length, attempts.length]).toEqual([1, 1]);
    });

    it('keeps nothing of a write that comes too late', async () => {
      const store = await open();
      const started = await processing(store, 'cs_1', 'A');
      const before = await store.order('demo', 'A');
      await moved(store, started, { status: 'open' }, () => ({ hold: 'free' }));
      const now = await store.order('demo', 'A');
      await store.claimKey(claim, at(0));
      const late = {
        ...starting(before, session('cs_2'), 'at_late'),
        events: [event('too_late')],
        quotas: { counted: [{ name: 'ip', key: 'k', most: 1, window_ms: 60_000 }], at: at(0) },
        lead: { key: claim, subject: 'cs_2' },
      } as const;
      expect(await store.writeOrder(late)).toEqual({ kind: 'changed' });
      expect(await store.order('demo', 'A')).toEqual(now);
      expect(await store.session('cs_2')).toBeUndefined();
      expect(await store.claimEvents('demo', at(1), at(60), 10)).toEqual([]);
      expect(await store.limitedBy(late.quotas.counted, at(1))).toBeUndefined();
      expect(await store.claimKey(claim, at(0))).toEqual({ kind: 'running' });
    });

    it('is not written where a session that it moves was changed', async () => {
      const store = await open();
      const one = session('cs_1');
      await store.createSession(one);
      const before = await store.order('demo', 'A');
      await store.changeSession({ ...one, version: 2, revision: 2 });
      expect(await store.writeOrder(starting(before, one, 'at_1'))).toEqual({ kind: 'changed' });
      expect((await store.order('demo', 'A')).attempts).toEqual([]);
      const again = await store.order('demo', 'A');
      const [changed] = again.sessions;
      expect(changed && (await store.writeOrder(starting(again, changed, 'at_1')))).toEqual({ kind: 'written' });
    });

    it('lets a session version grow with its own changes alone', async () => {
      const store = await open();
      await store.createSession(session('cs_2'));
      const started = await processing(store, 'cs_1', 'A');
      await moved(store, started, unknown('at_cs_1'));
      expect((await store.session('cs_1'))?.version).toBe(3);
      expect((await store.session('cs_2'))?.version).toBe(1);
      expect((await store.order('demo', 'A')).version).toBe(2);
    });

    it('has its webhooks written with its change', async () => {
      const store = await open();
      const before = await store.order('demo', 'A');
      await store.writeOrder({ ...starting(before, session('cs_1'), 'at_1'), events: [event('e1')] });
      expect(ids(await store.claimEvents('demo', at(1), at(60), 10))).toEqual(['e1']);
    });

    it('is created with its payment, and the key leads to it', async () => {
      const store = await open();
      await store.claimKey(claim, at(0));
      const before = await store.order('demo', 'A');
      const write = { ...starting(before, session('cs_1'), 'at_1'), lead: { key: claim, subject: 'cs_1' } };
      expect(await store.writeOrder(write)).toEqual({ kind: 'written' });
      expect(await store.claimKey(claim, at(0))).toEqual({ kind: 'running', subject: 'cs_1' });
    });

    it('is not written where its key was lost', async () => {
      const store = await open();
      await store.claimKey({ ...claim, claimed_at: at(7200) }, at(0));
      const before = await store.order('demo', 'A');
      const write = { ...starting(before, session('cs_1'), 'at_1'), lead: { key: claim, subject: 'cs_1' } };
      expect(await store.writeOrder(write)).toEqual({ kind: 'key_lost' });
      expect(await store.session('cs_1')).toBeUndefined();
      expect(await store.order('demo', 'A')).toMatchObject({ hold: 'free', attempts: [] });
      expect(await store.writeOrder(starting(await store.order('demo', 'A'), session('cs_1'), 'at_1'))).toEqual({
        kind: 'written',
      });
    });

    it('is found by each transaction that paid it', async () => {
      const store = await open();
      await approve(store, await processing(store, 'cs_1', 'A'), 'T');
      const pay = payingOf(store, await processing(store, 'cs_2', 'B'));
      await pay(payment('T'));
      await pay({ ...payment('T2'), proof: 'person' });
      expect(await store.orderPaidBy('demo', 'T')).toBe('A');
      expect(await store.orderPaidBy('demo', 'T2')).toBe('B');
      await pay(payment('T3'));
      expect(await store.orderPaidBy('demo', 'T2')).toBeUndefined();
      expect(await store.orderPaidBy('demo', 'T3')).toBe('B');
      expect(await store.orderPaidBy('other', 'T3')).toBeUndefined();
    });

    it('tells refunds what each of its transactions paid', async () => {
      const store = await open();
      await approve(store, await processing(store, 'cs_1', 'A'), 'T');
      const before = await store.order('demo', 'A');
      const after = { ...before, payments: [...before.payments, payment('T2', '3.00')] };
      await store.writeOrder({ before, after, events: [] });
      const begin = (id: string, transaction_id: string, amount: bigint) =>
        store.beginOperation(operation(id), [refund(amount, 9000n, 'BRL', transaction_id)]);
      expect(await begin('op_1', 'T', 1001n)).toMatchObject({ kind: 'refund_exceeds_payment', left: 1000n });
      expect(await begin('op_2', 'T2', 301n)).toMatchObject({ kind: 'refund_exceeds_payment', left: 300n });
      expect(await begin('op_3', 'T2', 300n)).toEqual({ kind: 'begun' });
      expect(await begin('op_4', 'unknown', 9000n)).toEqual({ kind: 'begun' });
    });

    it('bounds refunds by proven amounts, not by a person’s statement', async () => {
      const store = await open();
      const pay = payingOf(store, await processing(store, 'cs_1', 'A'));
      await pay({ ...payment('T', '100.00'), proof: 'person' });
      await pay(payment('T', '10.00'));
      const exceeds = { kind: 'refund_exceeds_payment', left: 1000n };
      expect(await store.beginOperation(operation('op_1'), [refund(1001n, 9000n)])).toMatchObject(exceeds);
      await pay(payment('T2', '3.00'));
      const second = refund(301n, 9000n, 'BRL', 'T2');
      expect(await store.beginOperation(operation('op_2'), [second])).toMatchObject({ ...exceeds, left: 300n });
      // The id that the person told is no payment of ours any more.
      expect(await store.beginOperation(operation('op_3'), [refund(9000n, 9000n)])).toEqual({ kind: 'begun' });
    });

    it('keeps what a transaction of another order paid', async () => {
      const store = await open();
      await approve(store, await processing(store, 'cs_1', 'A'), 'T');
      const pay = payingOf(store, await processing(store, 'cs_2', 'B'));
      await pay({ ...payment('T', '99.00'), proof: 'person' });
      await pay(payment('T', '98.00'));
      await pay(payment('T2'));
      const exceeds = { kind: 'refund_exceeds_payment', left: 1000n };
      expect(await store.beginOperation(operation('op_1'), [refund(1001n, 9900n)])).toMatchObject(exceeds);
    });

    it('keeps a transaction whose id no refund can name', async () => {
      const store = await open();
      await processing(store, 'cs_1', 'A');
      const before = await store.order('demo', 'A');
      const payments = [payment('x'.repeat(300)), payment('n\0l')];
      expect(await store.writeOrder({ before, after: { ...before, payments }, events: [] })).toEqual({
        kind: 'written',
      });
      expect((await store.order('demo', 'A')).payments).toEqual(payments);
    });
  });
}
