import { describe, expect, it } from 'vitest';
import { at, moved, notification, type Open, processing, unknown } from './fixtures.ts';

/** What a notification changes of the order that it is about. */
export function notificationBehaviour(open: Open): void {
  describe('a notification', () => {
    it('makes its session’s order due, and tells of itself by the version', async () => {
      const store = await open();
      await processing(store, 'cs_1', 'A');
      const before = await store.order('demo', 'A');
      await store.addNotification(notification('cs_1', 5));
      expect(await store.order('demo', 'A')).toEqual({ ...before, version: 2, notices: 1, next_query_at: at(5) });
      expect(await store.writeOrder({ before, after: before, events: [] })).toEqual({ kind: 'changed' });
    });

    it('that comes again counts again', async () => {
      const store = await open();
      await processing(store, 'cs_1', 'A');
      for (const seconds of [5, 6, 7]) await store.addNotification(notification('cs_1', seconds));
      expect(await store.order('demo', 'A')).toMatchObject({ notices: 3, next_query_at: at(5) });
    });

    it('is counted though many come at the same moment', async () => {
      const store = await open();
      await processing(store, 'cs_1', 'A');
      await Promise.all(
        Array.from({ length: 8 }, (_, i) => store.addNotification(notification('cs_1', 9 - i, `${i}`))),
      );
      expect(await store.order('demo', 'A')).toMatchObject({ version: 9, notices: 8, next_query_at: at(2) });
    });

    it('is not overwritten by a write of the order', async () => {
      const store = await open();
      await processing(store, 'cs_1', 'A');
      await store.addNotification(notification('cs_1', 5));
      const before = await store.order('demo', 'A');
      await store.writeOrder({ before, after: { ...before, notices: 0 }, events: [] });
      expect(await store.order('demo', 'A')).toMatchObject({ notices: 1 });
    });

    it('does not put off a query that is due earlier', async () => {
      const store = await open();
      const started = await processing(store, 'cs_1', 'A');
      await moved(store, started, unknown('at_cs_1'), () => ({ next_query_at: at(2) }));
      await store.addNotification(notification('cs_1', 5));
      expect(await store.order('demo', 'A')).toMatchObject({ next_query_at: at(2), notices: 1 });
    });

    it('of something else changes no order', async () => {
      const store = await open();
      await processing(store, 'cs_1', 'A');
      const before = await store.order('demo', 'A');
      await store.addNotification(notification('op_1', 5));
      expect(await store.order('demo', 'A')).toEqual(before);
    });
  });
}
