import { describe, expect, it } from 'vitest';
import {
  approve,
  at,
  attempt,
  claim,
  event,
  ids,
  key,
  next,
  type Open,
  processing,
  session,
  unknown,
} from './fixtures.ts';

/** Sessions, their attempts, and who holds each order. */
export function sessionBehaviour(open: Open): void {
  describe('sessions', () => {
    it('are given back as they were written, and so are their attempts', async () => {
      const store = await open();
      const started = await processing(store, 'cs_1', 'A');
      expect(await store.session('cs_1')).toEqual(started);
      expect(await store.attemptsOfOrder('demo', 'A')).toEqual([attempt('at_cs_1', started)]);
      const watched = { ...next(started, { status: 'open' }), watch: { since: at(0), next_look_at: at(9), looks: 1 } };
      expect(await store.update(watched, [])).toBe(true);
      expect(await store.session('cs_1')).toEqual(watched);
      expect(await store.session('cs_2')).toBeUndefined();
    });

    it('keep every character of a text', async () => {
      const store = await open();
      const odd = { ...session('cs_1', 'é 😀 \\ \' " { } % $1'), state: { status: 'failed' } as const };
      odd.terms.order.note = 'NUL \0, half a pair \ud83d, line\r\n';
      await store.createSession(odd);
      expect(await store.session('cs_1')).toEqual(odd);
    });

    it('let one of many writers move them on', async () => {
      const store = await open();
      const one = session('cs_1');
      await store.createSession(one);
      const tries = Array.from({ length: 8 }, (_, i) =>
        store.startAttempt(next(one, { status: 'processing', attempt_id: `at_${i}` }), attempt(`at_${i}`, one), []),
      );
      const kinds = (await Promise.all(tries)).map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === 'started')).toHaveLength(1);
      expect(await store.attemptsOfOrder('demo', 'A')).toHaveLength(1);
      expect(await store.update(next(one, { status: 'expired' }), [])).toBe(false);
    });

    it('take an attempt only at the version that it was made for', async () => {
      const store = await open();
      const one = session('cs_1');
      await store.createSession(one);
      await store.update(next(one, { status: 'open' }), []);
      const late = next(one, { status: 'processing', attempt_id: 'at_1' });
      expect(await store.startAttempt(late, attempt('at_1', one), [])).toEqual({ kind: 'changed' });
      expect(await store.attemptsOfOrder('demo', 'A')).toEqual([]);
      expect(await store.createSession(session('cs_2'))).toEqual({ kind: 'created' });
    });

    it('take no attempt made before their order was changed, and keep the change', async () => {
      const store = await open();
      const one = session('cs_1');
      await store.createSession(one);
      const order = { ...one.terms.order, amount: '20.00' };
      const changed = { ...next(one, { status: 'open' }), revision: 2, terms: { ...one.terms, order } };
      const paying = next(one, { status: 'processing', attempt_id: 'at_1' });
      const [started, written] = await Promise.all([
        store.startAttempt(paying, attempt('at_1', one), []),
        store.update(changed, []),
      ]);
      expect(written).toBe(started.kind !== 'started');
      expect(await store.session('cs_1')).toEqual(written ? changed : paying);
      const again = { ...next(written ? changed : paying, { status: 'open' }), revision: 3 };
      expect(await store.update(again, [])).toBe(true);
      expect(await store.startAttempt(paying, attempt('at_2', one), [])).not.toEqual({ kind: 'started' });
    });

    it('have their attempts in the order in which they began, over all sessions of an order', async () => {
      const store = await open();
      const first = await processing(store, 'cs_1', 'A');
      await store.settle(next(first, { status: 'open' }), attempt('at_cs_1', first), 'free', []);
      const two = session('cs_2');
      await store.createSession(two);
      const started = next(two, { status: 'processing', attempt_id: 'at_0' });
      await store.startAttempt(started, attempt('at_0', two, { started_at: at(1) }), []);
      expect(ids(await store.attemptsOfOrder('demo', 'A'))).toEqual(['at_cs_1', 'at_0']);
      expect(await store.attemptsOfOrder('other', 'A')).toEqual([]);
    });

    it('keep nothing of a settlement that comes too late, nor its webhooks', async () => {
      const store = await open();
      const started = await processing(store, 'cs_1', 'A');
      await store.settle(next(started, { status: 'open' }), attempt('at_cs_1', started), 'free', [event('in_time')]);
      const late = next(started, { status: 'approved', attempt_id: 'at_cs_1', transaction_id: 'T' });
      const approved = attempt('at_cs_1', started, { state: { status: 'approved' } });
      expect(await store.settle(late, approved, 'paid', [event('too_late')])).toBe(false);
      expect(await store.update(late, [event('too_late')])).toBe(false);
      expect((await store.session('cs_1'))?.state).toEqual({ status: 'open' });
      expect(await store.attemptsOfOrder('demo', 'A')).toEqual([attempt('at_cs_1', started)]);
      expect(await store.createSession(session('cs_2'))).toEqual({ kind: 'created' });
      expect(ids(await store.claimEvents('demo', at(1), at(60), 10))).toEqual(['in_time']);
    });

    it('of a payment are made with it, and its key leads to them', async () => {
      const store = await open();
      const one = next(session('cs_1'), { status: 'processing', attempt_id: 'at_1' });
      await store.claimKey(claim, at(0));
      expect(await store.startPayment(one, attempt('at_1', one), [], claim)).toEqual({ kind: 'created' });
      expect(await store.session('cs_1')).toEqual(one);
      expect(await store.attemptsOfOrder('demo', 'A')).toHaveLength(1);
      expect(await store.claimKey(claim, at(0))).toEqual({ kind: 'running', subject: 'cs_1' });
    });

    it('of a payment whose key was lost are not made, and hold no order', async () => {
      const store = await open();
      const one = next(session('cs_1'), { status: 'processing', attempt_id: 'at_1' });
      await store.claimKey({ ...claim, claimed_at: at(7200) }, at(0));
      expect(await store.startPayment(one, attempt('at_1', one), [], claim)).toEqual({ kind: 'key_lost' });
      expect(await store.session('cs_1')).toBeUndefined();
      expect(await store.startPayment(one, attempt('at_1', one), [])).toEqual({ kind: 'created' });
    });

    it('keep the answer of the request that made them', async () => {
      const store = await open();
      await store.claimKey(claim, at(0));
      await store.createSession(session('cs_1'), { ...key, reply: 'r', subject: 'cs_1' });
      expect(await store.claimKey(claim, at(0))).toEqual({ kind: 'answered', reply: 'r' });
    });
  });

  describe('an order', () => {
    it('is held by one attempt at a time, over all its sessions', async () => {
      const store = await open();
      const [one, two] = [session('cs_1'), session('cs_2')];
      await store.createSession(one);
      await store.createSession(two);
      const started = next(one, { status: 'processing', attempt_id: 'at_1' });
      expect(await store.startAttempt(started, attempt('at_1', one), [])).toEqual({ kind: 'started' });
      const other = next(two, { status: 'processing', attempt_id: 'at_2' });
      expect(await store.startAttempt(other, attempt('at_2', two), [])).toEqual({ kind: 'order_in_progress' });
      expect(await store.createSession(session('cs_3'))).toEqual({ kind: 'order_in_progress' });
      const single = next(session('cs_3'), { status: 'processing', attempt_id: 'at_3' });
      expect(await store.startPayment(single, attempt('at_3', single), [])).toEqual({ kind: 'order_in_progress' });

      await store.settle(next(started, { status: 'open' }), attempt('at_1', one), 'free', []);
      expect(await store.startAttempt(other, attempt('at_2', two), [])).toEqual({ kind: 'started' });
      const paid = next(other, { status: 'approved', attempt_id: 'at_2', transaction_id: 'T' });
      await store.settle(paid, attempt('at_2', two), 'paid', []);
      expect(await store.createSession(session('cs_4'))).toEqual({ kind: 'order_already_paid' });
      expect(await store.startPayment(single, attempt('at_3', single), [])).toEqual({ kind: 'order_already_paid' });
    });

    it('is taken by one of many sessions that are paid at the same moment', async () => {
      const store = await open();
      const kinds = await Promise.all(
        Array.from({ length: 8 }, async (_, i) => {
          const one = next(session(`cs_${i}`), { status: 'processing', attempt_id: `at_${i}` });
          return (await store.startPayment(one, attempt(`at_${i}`, one), [])).kind;
        }),
      );
      expect(kinds.toSorted()).toEqual(['created', ...Array(7).fill('order_in_progress')]);
      expect(await store.attemptsOfOrder('demo', 'A')).toHaveLength(1);
    });

    it('of one account is not that of another', async () => {
      const store = await open();
      await processing(store, 'cs_1', 'A');
      expect(await store.createSession(session('cs_2', 'A', 'other'))).toEqual({ kind: 'created' });
    });

    it('that is paid is never freed', async () => {
      const store = await open();
      const paid = await approve(store, await processing(store, 'cs_1', 'A'));
      await store.settle(next(paid, { status: 'open' }), attempt('at_cs_1', paid), 'free', []);
      expect(await store.createSession(session('cs_2'))).toEqual({ kind: 'order_already_paid' });
    });

    it('stays as it is where a settlement does not say otherwise', async () => {
      const store = await open();
      const started = await processing(store, 'cs_1', 'A');
      await store.settle(next(started, unknown(9)), attempt('at_cs_1', started), 'unchanged', []);
      expect(await store.createSession(session('cs_2'))).toEqual({ kind: 'order_in_progress' });
    });
  });
}
