import { describe, expect, it } from 'vitest';
import type { Store } from '../../relay/store/store.ts';
import { at, event, moved, notification, type Open, processing, unknown } from './fixtures.ts';

/** The changes that a notification causes to its order. */
export function notificationBehaviour(open: Open): void {
  describe('a notification', () => {
    it('makes its session’s order due and changes the order’s version', async () => {
      const store = await open();
      await processing(store, 'cs_1', 'A');
      const before = await store.orders.get('demo', 'A');
      await store.notifications.add(notification('cs_1', 5));
      expect(await store.orders.get('demo', 'A')).toEqual({
        ...{ ...before, version: 2, notices: 1 },
        ...{ next_query_at: at(5), planned_at: at(5) },
      });
      expect(await store.orders.write({ before, after: before, events: [] })).toEqual({ kind: 'changed' });
    });

    it('that is repeated is counted again', async () => {
      const store = await open();
      await processing(store, 'cs_1', 'A');
      for (const seconds of [5, 6, 7]) await store.notifications.add(notification('cs_1', seconds));
      expect(await store.orders.get('demo', 'A')).toMatchObject({ notices: 3, next_query_at: at(5) });
    });

    it('is counted despite many simultaneous ones', async () => {
      const store = await open();
      await processing(store, 'cs_1', 'A');
      await Promise.all(
        Array.from({ length: 8 }, (_, i) => store.notifications.add(notification('cs_1', 9 - i, `${i}`))),
      );
      expect(await store.orders.get('demo', 'A')).toMatchObject({ version: 9, notices: 8, next_query_at: at(2) });
    });

    it('is not overwritten by a write of the order', async () => {
      const store = await open();
      await processing(store, 'cs_1', 'A');
      await store.notifications.add(notification('cs_1', 5));
      const before = await store.orders.get('demo', 'A');
      await store.orders.write({ before, after: { ...before, notices: 0 }, events: [] });
      expect(await store.orders.get('demo', 'A')).toMatchObject({ notices: 1 });
    });

    it('does not delay a query that is due earlier', async () => {
      const store = await open();
      const started = await processing(store, 'cs_1', 'A');
      await moved(store, started, unknown('at_cs_1'), () => ({ next_query_at: at(2) }));
      await store.notifications.add(notification('cs_1', 5));
      expect(await store.orders.get('demo', 'A')).toMatchObject({ next_query_at: at(2), notices: 1 });
    });

    it('makes the other orders that it names due', async () => {
      const store = await open();
      for (const name of ['A', 'B']) await processing(store, `cs_${name}`, name);
      const notice = { verified: true, fields: {}, orders: ['A', 'B', 'C'], trades: [] };
      await store.notifications.add({ ...notification('cs_A', 5), waiting: { notice, due_at: at(9) } });
      for (const name of ['A', 'B']) {
        expect(await store.orders.get('demo', name)).toMatchObject({ notices: 1, next_query_at: at(5) });
      }
      expect(await store.orders.get('demo', 'C')).toMatchObject({ version: 0, notices: 0 });
    });

    it('about other things changes no order', async () => {
      const store = await open();
      await processing(store, 'cs_1', 'A');
      const before = await store.orders.get('demo', 'A');
      await store.notifications.add(notification('op_1', 5));
      expect(await store.orders.get('demo', 'A')).toEqual(before);
    });
  });

  describe('a notification that may be reported to its shop', () => {
    const notice = { verified: true, fields: { note: 'x' }, orders: [], trades: ['T'] };
    const lease = { now: at(20), until: at(50), limit: 10 };

    /** A store with this many notifications of one subject, due one second after another. */
    async function withWaiting(count: number): Promise<Store> {
      const store = await open();
      for (let n = 1; n <= count; n++) {
        const waiting = { notice, due_at: at(10 + n) };
        await store.notifications.add({ ...notification('cs_1', n, `${n}`), waiting });
      }
      return store;
    }
    const hashes = (found: readonly { sha256: string }[]) => found.map(({ sha256 }) => sha256);

    it('waits until it ends, however often it is repeated', async () => {
      const store = await withWaiting(2);
      await store.notifications.add({ ...notification('cs_2', 1), waiting: { notice, due_at: at(9) } });
      expect(await store.notifications.listWaiting(['cs_1', 'cs_3'], 10)).toEqual(
        [1, 2].map((n) => ({ subject: 'cs_1', account: 'demo', received_at: at(n), sha256: `${n}`, notice })),
      );
      await store.notifications.end('cs_1', [{ sha256: '1', verified: true }], { at: at(20), since: at(0), limit: 60 });
      await store.notifications.add({ ...notification('cs_1', 30, '1'), waiting: { notice, due_at: at(9) } });
      expect(hashes(await store.notifications.listWaiting(['cs_1'], 10))).toEqual(['2']);
    });

    it('is returned once it is due, to one relay', async () => {
      const store = await withWaiting(3);
      await store.notifications.delay([{ subject: 'cs_1', sha256: '2' }], at(40), at(20));
      expect(await store.notifications.leaseDue(lease, ['other'])).toEqual([]);
      expect(hashes(await store.notifications.leaseDue(lease, ['demo']))).toEqual(['1', '3']);
      expect(await store.notifications.leaseDue(lease, ['demo'])).toEqual([]);
      const later = { now: at(60), until: at(90), limit: 2 };
      expect(hashes(await store.notifications.leaseDue(later, ['demo']))).toHaveLength(2);
    });

    it('is returned longest due first, after those planned by wrong clocks', async () => {
      const store = await open();
      for (const [n, second] of [13, 11, 12, 14].entries()) {
        await store.notifications.add({
          ...notification('cs_1', n, `${second}`),
          waiting: { notice, due_at: at(second) },
        });
      }
      await store.notifications.delay([{ subject: 'cs_1', sha256: '14' }], at(7200), at(3600));
      const two = { ...lease, limit: 2 };
      expect(hashes(await store.notifications.leaseDue(two, ['demo']))).toEqual(['14', '11']);
      expect(hashes(await store.notifications.leaseDue(two, ['demo']))).toEqual(['12', '13']);
    });

    it('is returned if a clock that was ahead leased or planned it', async () => {
      const store = await withWaiting(1);
      const ahead = { now: at(3600), until: at(3660), limit: 10 };
      expect(hashes(await store.notifications.leaseDue(ahead, ['demo']))).toEqual(['1']);
      expect(hashes(await store.notifications.leaseDue(lease, ['demo']))).toEqual(['1']);
      await store.notifications.delay([{ subject: 'cs_1', sha256: '1' }], at(7200), at(3600));
      expect(hashes(await store.notifications.leaseDue(lease, ['demo']))).toEqual(['1']);
      await store.notifications.delay([{ subject: 'cs_1', sha256: '1' }], at(7200), at(20));
      expect(await store.notifications.leaseDue(lease, ['demo'])).toEqual([]);
    });

    it('keeps its text and its notes', async () => {
      const store = await withWaiting(2);
      const noted = { ...notice, ahead: at(20) };
      const named = [1, 2].map((n) => ({ subject: 'cs_1', sha256: `${n}`, ...(n === 1 ? { notice: noted } : {}) }));
      await store.notifications.delay(named, at(40), at(20));
      expect((await store.notifications.listWaiting(['cs_1'], 10)).map((one) => one.notice)).toEqual([noted, notice]);
    });

    it('is reported by its webhook, up to the limit', async () => {
      const store = await withWaiting(5);
      const reported = (n: number) => ({ sha256: `${n}`, verified: true, event: event(`msg_${n}`, 'cs_1') });
      const terms = { at: at(20), since: at(15), limit: 2 };
      expect(
        await store.notifications.end(
          'cs_1',
          [reported(1), { sha256: '2', verified: true }, reported(3), reported(4)],
          terms,
        ),
      ).toEqual({
        told: 2,
        limited: 1,
        known: 1,
      });
      expect(await store.notifications.end('cs_1', [reported(1), reported(4)], terms)).toEqual({
        told: 0,
        limited: 0,
        known: 0,
      });
      expect(await store.notifications.end('cs_1', [reported(5)], { ...terms, at: at(80), since: at(75) })).toEqual({
        told: 1,
        limited: 0,
        known: 0,
      });
      const events = await store.outbox.list({ account: 'demo', limit: 9 });
      expect(events.map(({ id }) => id)).toEqual(['msg_5', 'msg_3', 'msg_1']);
      expect(await store.notifications.listWaiting(['cs_1'], 10)).toEqual([]);
    });

    it('does not count towards the verified limit if unverified', async () => {
      const store = await open();
      const terms = { at: at(20), since: at(15), limit: 1 };
      const ends = [false, false, true, true].map((verified, n) => {
        return { sha256: `${n}`, verified, event: event(`msg_${n}`, 'cs_1') };
      });
      for (const [n, { verified }] of ends.entries()) {
        const waiting = { notice: { ...notice, verified }, due_at: at(10) };
        await store.notifications.add({ ...notification('cs_1', n, `${n}`), waiting });
      }
      expect(await store.notifications.countReported(['cs_1'], at(15))).toEqual([]);
      expect(await store.notifications.end('cs_1', ends, terms)).toEqual({ told: 2, limited: 2, known: 0 });
      const events = await store.outbox.list({ account: 'demo', limit: 9 });
      expect(events.map(({ id }) => id).toSorted()).toEqual(['msg_0', 'msg_2']);
      const counts = await store.notifications.countReported(['cs_1', 'cs_2'], at(15));
      expect(counts.map(({ verified, count }) => [verified, count]).toSorted()).toEqual([
        [false, 1],
        [true, 1],
      ]);
      expect(await store.notifications.countReported(['cs_1'], at(20))).toEqual([]);
    });
  });
}
