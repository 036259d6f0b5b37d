import { describe, expect, it } from 'vitest';
import { at, claim, ids, key, lease, moved, next, type Open, processing, session, starting } from '../fixtures.ts';

/** Sessions independent of their order. */
export function sessionBehaviour(open: Open): void {
  describe('sessions', () => {
    it('are read as they were written', async () => {
      const store = await open();
      const one = session('cs_1');
      expect(await store.sessions.create(one)).toEqual({ kind: 'created' });
      expect(await store.sessions.get('cs_1')).toEqual(one);
      expect(await store.sessions.get('cs_2')).toBeUndefined();
      const settled = { by: 'key', at: at(1), note: 'n' };
      const before = await store.orders.get('demo', 'A');
      const after = { ...before, sessions: [{ ...one, settled }] };
      expect(await store.orders.write({ before, after, events: [] })).toEqual({ kind: 'written' });
      expect(await store.sessions.get('cs_1')).toEqual({ ...one, version: 2, settled });
      const kept = await store.orders.get('demo', 'A');
      await store.orders.write({ before: kept, after: { ...kept, sessions: [one] }, events: [] });
      expect(await store.sessions.get('cs_1')).toEqual({ ...one, version: 3 });
    });

    it('keep every character of a text', async () => {
      const store = await open();
      const odd = { ...session('cs_1', 'é 😀 \\ \' " { } % $1'), state: { status: 'failed' } as const };
      odd.terms.order.note = 'NUL \0, half a pair \ud83d, line\r\n';
      await store.sessions.create(odd);
      expect(await store.sessions.get('cs_1')).toEqual(odd);
      expect((await store.orders.get('demo', odd.order_no)).sessions).toEqual([odd]);
    });

    it('are not created for an order that is held or paid', async () => {
      const store = await open();
      const started = await processing(store, 'cs_1', 'A');
      expect(await store.sessions.create(session('cs_2'))).toEqual({ kind: 'order_in_progress' });
      expect(await store.sessions.create(session('cs_3', 'A', 'other'))).toEqual({ kind: 'created' });
      const approved = { status: 'approved', attempt_id: 'at_cs_1', transaction_id: 'T' } as const;
      await moved(store, started, approved, () => ({ hold: 'paid' }));
      expect(await store.sessions.create(session('cs_2'))).toEqual({ kind: 'order_already_paid' });
      expect(await store.sessions.get('cs_2')).toBeUndefined();
    });

    it('change their terms one version at a time', async () => {
      const store = await open();
      const one = session('cs_1');
      await store.sessions.create(one);
      const order = { ...one.terms.order, amount: '20.00' };
      const changed = { ...next(one, { status: 'open' }), revision: 2, terms: { ...one.terms, order } };
      expect(await store.sessions.change(changed)).toBe(true);
      expect(await store.sessions.change(changed)).toBe(false);
      expect(await store.sessions.get('cs_1')).toEqual(changed);
    });

    it('are changed or paid, but never both simultaneously', async () => {
      const store = await open();
      const one = session('cs_1');
      await store.sessions.create(one);
      const order = { ...one.terms.order, amount: '20.00' };
      const changed = { ...next(one, { status: 'open' }), revision: 2, terms: { ...one.terms, order } };
      const before = await store.orders.get('demo', 'A');
      const [started, isChanged] = await Promise.all([
        store.orders.write(starting(before, one, 'at_1')),
        store.sessions.change(changed),
      ]);
      expect(isChanged).toBe(started.kind !== 'written');
      const state = { status: 'processing', attempt_id: 'at_1' };
      expect(await store.sessions.get('cs_1')).toEqual(isChanged ? changed : { ...one, version: 2, state });
    });

    it('are changed by one of many writers', async () => {
      const store = await open();
      const one = session('cs_1');
      await store.sessions.create(one);
      const changes = Array.from({ length: 8 }, (_, i) => ({ ...next(one, one.state), revision: i + 2 }));
      const written = await Promise.all(changes.map((change) => store.sessions.change(change)));
      expect(written.filter(Boolean)).toHaveLength(1);
      expect(await store.sessions.get('cs_1')).toEqual(changes[written.indexOf(true)]);
    });

    it('keep no answer when their order accepts none', async () => {
      const store = await open();
      await processing(store, 'cs_1', 'A');
      await store.keys.claim(claim, at(0));
      const answer = { ...key, reply: 'r', subject: 'cs_2' };
      expect(await store.sessions.create(session('cs_2'), answer)).toEqual({ kind: 'order_in_progress' });
      expect(await store.keys.claim(claim, at(0))).toEqual({ kind: 'running' });
    });

    it('keep the answer of the request that created them', async () => {
      const store = await open();
      await store.keys.claim(claim, at(0));
      await store.sessions.create(session('cs_1'), { ...key, reply: 'r', subject: 'cs_1' });
      expect(await store.keys.claim(claim, at(0))).toEqual({ kind: 'answered', reply: 'r' });
    });

    it('that have expired are leased longest expired first', async () => {
      const store = await open();
      for (const second of [3, 1, 2]) {
        await store.sessions.create({ ...session(`cs_${second}`, `${second}`), expires_at: at(second) });
      }
      expect(ids(await store.sessions.leaseExpirable(lease(9, 99, 2)))).toEqual(['cs_1', 'cs_2']);
      expect(ids(await store.sessions.leaseExpirable(lease(9, 99, 2)))).toEqual(['cs_3']);
    });
  });
}
