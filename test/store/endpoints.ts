import { describe, expect, it } from 'vitest';
import type { Store } from '../../relay/store/store.ts';
import { at, delivered, event, facts, failed, ids, type Open, purgeOnce, sent } from './fixtures.ts';

/** Deliveries to several endpoints, to none, and to a removed one. */
export function endpointBehaviour(open: Open): void {
  describe('an event of several endpoints', () => {
    const both = (id: string, subject = id) => event(id, subject, { endpoints: ['a', 'b'] });
    const claimed = async (store: Store, endpoint: string) =>
      store.outbox.leaseDue('demo', endpoint, at(9), at(60), 10);

    it('is claimed by each in order, and delivered to each separately', async () => {
      const store = await open();
      await store.outbox.add([both('e1', 's'), both('e2', 's'), event('e3', 's', { endpoints: ['b'] })]);
      const [first] = await claimed(store, 'a');
      expect(first).toMatchObject({ ...facts('e1', 's'), id: 'e1/a', event_id: 'e1', endpoint: 'a' });
      if (first) await store.outbox.writeDelivery(first, delivered);
      expect((await store.outbox.get('demo', 'e1'))?.delivery.status).toBe('pending');
      expect(ids(await claimed(store, 'a'))).toEqual(['e2/a']);
      for (const id of ['e1/b', 'e2/b', 'e3']) {
        const [next] = await claimed(store, 'b');
        expect(next?.id).toBe(id);
        if (next) await store.outbox.writeDelivery(next, delivered);
      }
      expect(await claimed(store, 'b')).toEqual([]);
      expect((await store.outbox.get('demo', 'e1'))?.delivery).toEqual(delivered);
      expect((await store.outbox.get('demo', 'e2'))?.deliveries.map(({ delivery }) => delivery.status)).toEqual([
        'pending',
        'delivered',
      ]);
    });

    it('is listed once, with its most urgent delivery', async () => {
      const store = await open();
      await store.outbox.add([both('e1'), event('e2')]);
      const all = { account: 'demo', limit: 10 };
      expect(ids(await store.outbox.list(all))).toEqual(['e2', 'e1']);
      const [toA] = await claimed(store, 'a');
      if (toA) await store.outbox.writeDelivery(toA, failed);
      const pending = { status: 'pending', tries: 0, next_try_at: at(0) };
      expect(await store.outbox.list({ ...all, status: 'failed' })).toEqual([
        {
          ...{ ...facts('e1'), delivery: failed },
          deliveries: [
            { endpoint: 'a', delivery: failed },
            { endpoint: 'b', delivery: pending },
          ],
        },
      ]);
      expect(await store.stats.figures(at(9), [])).toMatchObject({ pending_events: 2, failed_events: 1 });
    });

    it('is skipped if its id exists', async () => {
      const store = await open();
      await store.outbox.add([event('e1', 's', { endpoints: ['a'] })]);
      await store.outbox.add([both('e1', 's')]);
      expect(await claimed(store, 'b')).toEqual([]);
    });

    it('is acknowledged and redelivered where it failed', async () => {
      const store = await open();
      await store.outbox.add([both('e1')]);
      for (const [endpoint, outcome] of [
        ['a', delivered],
        ['b', failed],
      ] as const) {
        const [one] = await claimed(store, endpoint);
        if (one) await store.outbox.writeDelivery(one, outcome);
      }
      expect(await store.outbox.acknowledge('demo', 'e1', 'ops', at(9))).toMatchObject({
        kind: 'acknowledged',
        event: {
          delivery: { status: 'acknowledged' },
          deliveries: [{ delivery: { status: 'delivered' } }, { delivery: { status: 'acknowledged' } }],
        },
      });
      const toBoth = () => ['a', 'b'];
      expect(await store.outbox.redeliver('demo', 'e1', at(9), toBoth)).toMatchObject({
        kind: 'redelivered',
        event: {
          delivery: { status: 'pending' },
          deliveries: [{ delivery: { status: 'delivered' } }, { delivery: { status: 'pending' } }],
        },
      });
      expect(await store.outbox.redeliver('demo', 'e1', at(9), toBoth)).toEqual({ kind: 'pending' });
      expect(await claimed(store, 'a')).toEqual([]);
      const [again] = await claimed(store, 'b');
      if (again) await store.outbox.writeDelivery(again, delivered);
      expect(await store.outbox.redeliver('demo', 'e1', at(9), toBoth)).toMatchObject({ kind: 'redelivered' });
      expect([...ids(await claimed(store, 'a')), ...ids(await claimed(store, 'b'))]).toEqual(['e1/a', 'e1/b']);
    });

    it('is purged with its deliveries', async () => {
      const store = await open();
      await store.outbox.add([both('e1')]);
      for (const endpoint of ['a', 'b']) {
        const [one] = await claimed(store, endpoint);
        if (one) await store.outbox.writeDelivery(one, delivered);
      }
      expect(await purgeOnce(store, { before: at(1), counted_before: at(0), limit: 3 })).toBe(true);
      expect(await purgeOnce(store, { before: at(1), counted_before: at(0), limit: 3 })).toBe(false);
      expect(await store.outbox.get('demo', 'e1')).toBeUndefined();
    });
  });

  describe('an event that no endpoint wants', () => {
    it('is stored and listed, waits for nothing, and blocks no other', async () => {
      const store = await open();
      await store.outbox.add([event('e1', 's', { endpoints: [] }), event('e2', 's')]);
      const delivery = { status: 'kept', tries: 0 };
      expect(await store.outbox.get('demo', 'e1')).toEqual({ ...facts('e1', 's'), delivery, deliveries: [] });
      expect(ids(await store.outbox.list({ account: 'demo', status: 'kept', limit: 10 }))).toEqual(['e1']);
      expect(ids(await store.outbox.leaseDue('demo', 'default', at(1), at(60), 10))).toEqual(['e2']);
      expect(await store.stats.figures(at(9), [])).toMatchObject({ pending_events: 1, failed_events: 0 });
      expect(await store.outbox.acknowledge('demo', 'e1', 'ops', at(9))).toEqual({ kind: 'not_failed' });
    });

    it('is sent to the current endpoints by a redelivery', async () => {
      const store = await open();
      await store.outbox.add([event('e1', 's', { endpoints: [] }), event('e2', 's', { endpoints: ['a'] })]);
      expect(await store.outbox.redeliver('demo', 'e1', at(9), () => [])).toEqual({ kind: 'unwanted' });
      const again = await store.outbox.redeliver('demo', 'e1', at(9), () => ['a', 'b']);
      const pending = { status: 'pending', tries: 0, next_try_at: at(9) };
      expect(again).toEqual({
        kind: 'redelivered',
        event: {
          ...{ ...facts('e1', 's'), delivery: pending },
          deliveries: [
            { endpoint: 'a', delivery: pending },
            { endpoint: 'b', delivery: pending },
          ],
        },
      });
      expect(ids(await store.outbox.leaseDue('demo', 'b', at(9), at(60), 10))).toEqual(['e1/b']);
      const [first] = await store.outbox.leaseDue('demo', 'a', at(9), at(60), 10);
      expect(first?.id).toBe('e2');
      if (first) await store.outbox.writeDelivery(first, delivered);
      expect(ids(await store.outbox.leaseDue('demo', 'a', at(9), at(60), 10))).toEqual(['e1/a']);
    });
  });

  describe('an endpoint that is removed', () => {
    it('ends the deliveries that wait for it and keeps its events', async () => {
      const store = await open();
      const to = (id: string, ...endpoints: string[]) => event(id, 's', { endpoints });
      await store.outbox.add([to('e1', 'a'), to('e2', 'a', 'b'), to('e3', 'b'), event('e4', 's', { account: 'gone' })]);
      const rest = [{ account: 'demo', endpoint: 'b' }];
      expect(await store.outbox.endRemoved(['demo'], rest, at(60), 1)).toBe(1);
      expect(await store.outbox.endRemoved(['demo'], rest, at(60), 9)).toBe(1);
      expect(await store.outbox.endRemoved(['demo'], rest, at(60), 9)).toBe(0);
      const kept = { status: 'kept', tries: 0 };
      expect(await store.outbox.get('demo', 'e1')).toMatchObject({
        delivery: kept,
        deliveries: [{ endpoint: 'a', delivery: kept }],
      });
      expect(await store.outbox.get('demo', 'e2')).toMatchObject({
        delivery: { status: 'pending' },
        deliveries: [{ delivery: kept }, {}],
      });
      expect(await store.stats.figures(at(9), [])).toMatchObject({ pending_events: 3, failed_events: 0 });
      expect((await store.outbox.get('gone', 'e4'))?.delivery.status).toBe('pending');
      // The endpoint exists again.
      expect(await store.outbox.redeliver('demo', 'e1', at(9), () => ['a'])).toMatchObject({ kind: 'redelivered' });
      expect(ids(await store.outbox.leaseDue('demo', 'a', at(9), at(60), 10))).toEqual(['e1']);
      // Another endpoint replaced it.
      expect(await store.outbox.redeliver('demo', 'e3', at(9), () => ['c'])).toMatchObject({ kind: 'redelivered' });
      expect(ids(await store.outbox.leaseDue('demo', 'c', at(9), at(60), 10))).toEqual(['e3/c']);
    });

    it('is checked by the next waiting delivery', async () => {
      const store = await open();
      await store.outbox.add([event('e1', 's'), event('e2', 's'), event('e3', 't', { endpoints: ['other'] })]);
      const retry = {
        status: 'pending',
        tries: 1,
        next_try_at: at(30),
        first_try_at: at(1),
        fault: 'timeout',
      } as const;
      await store.outbox.writeDelivery(sent(event('e1', 's')), retry);
      expect(await store.outbox.waiting({ account: 'demo', endpoint: 'default' }, 10)).toEqual([retry]);
    });
  });
}
