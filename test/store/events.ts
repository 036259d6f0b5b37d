import { describe, expect, it } from 'vitest';
import { at, delivered, event, facts, failed, ids, type Open, sent, toDefault } from './fixtures.ts';

/** The outbox of webhooks. */
export function eventBehaviour(open: Open): void {
  describe('the outbox', () => {
    it('claims an event as it was written, due at once', async () => {
      const store = await open();
      await store.outbox.add([event('msg_1')]);
      expect(await store.outbox.leaseDue('demo', 'default', at(0), at(60), 10)).toEqual([
        { ...facts('msg_1'), endpoint: 'default', delivery: { status: 'pending', tries: 0, next_try_at: at(0) } },
      ]);
    });

    it('gives an event to another claimant only after the first’s crash', async () => {
      const store = await open();
      await store.outbox.add([event('msg_1')]);
      expect(await store.outbox.leaseDue('demo', 'default', at(1), at(60), 10)).toHaveLength(1);
      expect(await store.outbox.leaseDue('demo', 'default', at(59), at(120), 10)).toEqual([]);
      expect(await store.outbox.leaseDue('demo', 'default', at(60), at(120), 10)).toHaveLength(1);
    });

    it('returns events claimed or planned by a clock that was ahead', async () => {
      const store = await open();
      await store.outbox.add([event('msg_1', 'a', { created_at: at(3600) })]);
      expect(ids(await store.outbox.leaseDue('demo', 'default', at(1), at(61), 10))).toEqual(['msg_1']);
      expect(await store.outbox.leaseDue('demo', 'default', at(2), at(62), 10)).toEqual([]);
      const retry = { status: 'pending', tries: 1, next_try_at: at(7200) } as const;
      await store.outbox.writeDelivery(sent(event('msg_1', 'a')), retry, at(3600));
      expect(ids(await store.outbox.leaseDue('demo', 'default', at(3), at(63), 10))).toEqual(['msg_1']);
      await store.outbox.writeDelivery(sent(event('msg_1', 'a')), retry, at(3));
      expect(await store.outbox.leaseDue('demo', 'default', at(4), at(64), 10)).toEqual([]);
      expect(ids(await store.outbox.leaseDue('demo', 'default', at(7200), at(7260), 10))).toEqual(['msg_1']);
      expect(ids(await store.outbox.leaseDue('demo', 'default', at(5), at(65), 10))).toEqual(['msg_1']);
    });

    it('has an event due after the previous one, despite clock changes', async () => {
      const store = await open();
      const first = event('msg_1', 's', { created_at: at(20) });
      await store.outbox.add([first, { ...first, id: 'msg_2' }]);
      expect(ids(await store.outbox.leaseDue('demo', 'default', at(20), at(80), 10))).toEqual(['msg_1']);
      await store.outbox.writeDelivery(sent(first), delivered, at(0));
      expect(ids(await store.outbox.leaseDue('demo', 'default', at(0), at(60), 10))).toEqual(['msg_2']);
    });

    it('claims events of one subject in turn, of several at once', async () => {
      const store = await open();
      await store.outbox.add([event('a1', 'a'), event('a2', 'a'), event('b1', 'b'), event('a3', 'a')]);
      expect(ids(await store.outbox.leaseDue('demo', 'default', at(1), at(60), 10))).toEqual(['a1', 'b1']);
      await store.outbox.writeDelivery(sent(event('a1', 'a')), { status: 'pending', tries: 1, next_try_at: at(30) });
      expect(ids(await store.outbox.leaseDue('demo', 'default', at(29), at(60), 10))).toEqual([]);
      expect(ids(await store.outbox.leaseDue('demo', 'default', at(30), at(60), 10))).toEqual(['a1']);
      await store.outbox.writeDelivery(sent(event('a1', 'a')), delivered);
      expect(ids(await store.outbox.leaseDue('demo', 'default', at(30), at(60), 10))).toEqual(['a2']);
      await store.outbox.writeDelivery(sent(event('a2', 'a')), failed);
      expect(ids(await store.outbox.leaseDue('demo', 'default', at(31), at(60), 10))).toEqual(['a3']);
      await store.outbox.writeDelivery(sent(event('a3', 'a')), delivered);
      await store.outbox.add([event('a4', 'a')]);
      expect(ids(await store.outbox.leaseDue('demo', 'default', at(31), at(60), 10))).toEqual(['a4']);
    });

    it('keeps an event that is added during the previous delivery', async () => {
      const store = await open();
      for (let i = 0; i < 20; i++) {
        const [first, second] = [event(`a${i}`, `s${i}`), event(`b${i}`, `s${i}`)];
        await store.outbox.add([first]);
        await Promise.all([store.outbox.writeDelivery(sent(first), delivered), store.outbox.add([second])]);
      }
      expect(await store.outbox.leaseDue('demo', 'default', at(1), at(60), 100)).toHaveLength(20);
    });

    it('keeps the number of tries and the first time', async () => {
      const store = await open();
      await store.outbox.add([event('msg_1')]);
      const more = { first_try_at: at(1), fault: 'timeout' } as const;
      const pending = { status: 'pending', tries: 2, next_try_at: at(9), ...more } as const;
      await store.outbox.writeDelivery(sent(event('msg_1')), pending);
      expect((await store.outbox.leaseDue('demo', 'default', at(9), at(60), 1))[0]?.delivery).toEqual(pending);
    });

    it('lets no late claimant undo a delivery', async () => {
      const store = await open();
      await store.outbox.add([event('a1', 'a'), event('a2', 'a')]);
      await store.outbox.writeDelivery(sent(event('a1', 'a')), delivered);
      expect(ids(await store.outbox.leaseDue('demo', 'default', at(1), at(60), 10))).toEqual(['a2']);
      await store.outbox.writeDelivery(sent(event('a1', 'a')), { status: 'pending', tries: 1, next_try_at: at(2) });
      await store.outbox.writeDelivery(sent(event('a1', 'a')), delivered);
      expect(await store.outbox.leaseDue('demo', 'default', at(3), at(60), 10)).toEqual([]);
    });

    it('skips an event whose id exists', async () => {
      const store = await open();
      await store.outbox.add([event('msg_1')]);
      await store.outbox.add([event('msg_1', 'other'), event('msg_2', 'other')]);
      expect(ids(await store.outbox.leaseDue('demo', 'default', at(1), at(60), 10))).toEqual(['msg_1', 'msg_2']);
    });

    it('separates the events of two accounts, longest due first', async () => {
      const store = await open();
      await store.outbox.add([
        event('late', 'late', { created_at: at(5) }),
        event('early', 'early', { created_at: at(4) }),
        event('other', 'other', { account: 'other' }),
      ]);
      expect(ids(await store.outbox.leaseDue('demo', 'default', at(9), at(60), 1))).toEqual(['early']);
      expect(ids(await store.outbox.leaseDue('demo', 'default', at(9), at(60), 1))).toEqual(['late']);
      expect(ids(await store.outbox.leaseDue('other', 'default', at(9), at(60), 1))).toEqual(['other']);
    });

    it('gives each event to one of many concurrent claims', async () => {
      const store = await open();
      await store.outbox.add(Array.from({ length: 12 }, (_, i) => event(`e${i}`)));
      const claims = Array.from({ length: 6 }, () => store.outbox.leaseDue('demo', 'default', at(1), at(60), 3));
      const given = ids((await Promise.all(claims)).flat());
      const rest = ids(await store.outbox.leaseDue('demo', 'default', at(1), at(60), 100));
      expect(new Set([...given, ...rest]).size).toBe(12);
      expect([...given, ...rest]).toHaveLength(12);
    });
  });

  describe('the list of events', () => {
    it('returns an account’s newest first, paged, by status, type and subject', async () => {
      const store = await open();
      const approved = event('e3', 's2', { type: 'session.approved' });
      await store.outbox.add([event('e1', 's1'), event('e2', 's1'), approved, event('o', 'o', { account: 'other' })]);
      await store.outbox.writeDelivery(sent(event('e1', 's1')), failed);
      const all = { account: 'demo', limit: 10 };
      expect(ids(await store.outbox.list(all))).toEqual(['e3', 'e2', 'e1']);
      expect(ids(await store.outbox.list({ ...all, limit: 2 }))).toEqual(['e3', 'e2']);
      expect(ids(await store.outbox.list({ ...all, before: 'e2' }))).toEqual(['e1']);
      expect(ids(await store.outbox.list({ ...all, before: 'e1' }))).toEqual([]);
      expect(await store.outbox.list({ ...all, status: 'failed' })).toEqual([
        { ...facts('e1', 's1'), delivery: failed, deliveries: [{ endpoint: 'default', delivery: failed }] },
      ]);
      expect(ids(await store.outbox.list({ ...all, type: 'session.approved' }))).toEqual(['e3']);
      expect(ids(await store.outbox.list({ ...all, subject: 's1', status: 'pending' }))).toEqual(['e2']);
    });

    it('returns an event to its account only', async () => {
      const store = await open();
      await store.outbox.add([event('e1')]);
      expect(await store.outbox.get('demo', 'e1')).toMatchObject({ id: 'e1', delivery: { status: 'pending' } });
      expect(await store.outbox.get('other', 'e1')).toBeUndefined();
      expect(await store.outbox.get('demo', 'e2')).toBeUndefined();
    });
  });

  describe('a redelivery', () => {
    it('is due at once and starts from the beginning', async () => {
      const store = await open();
      await store.outbox.add([event('e1')]);
      await store.outbox.writeDelivery(sent(event('e1')), failed);
      const delivery = { status: 'pending', tries: 0, next_try_at: at(9) };
      const deliveries = [{ endpoint: 'default', delivery }];
      const again = { kind: 'redelivered', event: { ...facts('e1'), delivery, deliveries } };
      expect(await store.outbox.redeliver('demo', 'e1', at(9), toDefault)).toEqual(again);
      expect(await store.outbox.leaseDue('demo', 'default', at(8), at(60), 10)).toEqual([]);
      expect(await store.outbox.leaseDue('demo', 'default', at(9), at(60), 10)).toEqual([
        { ...facts('e1'), endpoint: 'default', delivery },
      ]);
    });

    it('accepts only a delivered or abandoned event of its own account', async () => {
      const store = await open();
      await store.outbox.add([event('e1')]);
      expect(await store.outbox.redeliver('demo', 'e1', at(9), toDefault)).toEqual({ kind: 'pending' });
      await store.outbox.writeDelivery(sent(event('e1')), delivered);
      expect(await store.outbox.redeliver('other', 'e1', at(9), toDefault)).toEqual({ kind: 'not_found' });
      expect(await store.outbox.redeliver('demo', 'e2', at(9), toDefault)).toEqual({ kind: 'not_found' });
      expect(await store.outbox.redeliver('demo', 'e1', at(9), toDefault)).toMatchObject({ kind: 'redelivered' });
    });

    it('follows the waiting events of its subject and precedes later ones', async () => {
      const store = await open();
      const [a1, a2, a3] = [event('a1', 'a'), event('a2', 'a'), event('a3', 'a')];
      await store.outbox.add([a1, a2, a3]);
      await store.outbox.writeDelivery(sent(a1), failed);
      expect(ids(await store.outbox.leaseDue('demo', 'default', at(1), at(60), 10))).toEqual(['a2']);
      await store.outbox.redeliver('demo', 'a1', at(2), toDefault);
      await store.outbox.add([event('a4', 'a')]);
      for (const [id, one] of [
        ['a3', a2],
        ['a1', a3],
        ['a4', a1],
      ] as const) {
        await store.outbox.writeDelivery(sent(one), delivered);
        expect(ids(await store.outbox.leaseDue('demo', 'default', at(3), at(60), 10))).toEqual([id]);
      }
    });
  });

  describe('an acknowledgement', () => {
    it('removes a webhook from the failed ones, once', async () => {
      const store = await open();
      await store.outbox.add([event('e1'), event('e2'), event('e3')]);
      for (const id of ['e1', 'e2']) await store.outbox.writeDelivery(sent(event(id)), failed);
      const { status: _, ...rest } = failed;
      const delivery = { ...rest, status: 'acknowledged', acknowledged_at: at(9), by: 'ops' };
      const deliveries = [{ endpoint: 'default', delivery }];
      const done = { kind: 'acknowledged', event: { ...facts('e1'), delivery, deliveries } };
      expect(await store.outbox.acknowledge('other', 'e1', 'ops', at(9))).toEqual({ kind: 'not_found' });
      expect(await store.outbox.acknowledge('demo', 'e1', 'ops', at(9))).toEqual(done);
      expect(await store.outbox.acknowledge('demo', 'e1', 'other', at(10))).toEqual(done);
      expect(await store.outbox.acknowledge('demo', 'e3', 'ops', at(9))).toEqual({ kind: 'not_failed' });
      expect(await store.outbox.get('demo', 'e1')).toEqual(done.event);
      const listed = { account: 'demo', limit: 10 };
      expect(ids(await store.outbox.list({ ...listed, status: 'acknowledged' }))).toEqual(['e1']);
      expect(ids(await store.outbox.list({ ...listed, status: 'failed' }))).toEqual(['e2']);
      expect(await store.stats.figures(at(9), [])).toMatchObject({ failed_events: 1 });
      expect(await store.outbox.redeliver('demo', 'e1', at(11), toDefault)).toMatchObject({ kind: 'redelivered' });
    });
  });

  describe('the failed events', () => {
    it('are listed oldest first, from a time and after an event', async () => {
      const store = await open();
      const all = [1, 2, 3, 4].map((n) => event(`e${n}`, `s${n}`, { created_at: at(n) }));
      await store.outbox.add(all);
      for (const one of all) await store.outbox.writeDelivery(sent(one), failed);
      const terms = { account: 'demo', status: 'failed', limit: 2 } as const;
      expect(ids(await store.outbox.list({ ...terms, oldestFirst: {} }))).toEqual(['e1', 'e2']);
      expect(ids(await store.outbox.list({ ...terms, oldestFirst: { after: 'e2' } }))).toEqual(['e3', 'e4']);
      expect(ids(await store.outbox.list({ ...terms, since: at(3), oldestFirst: {} }))).toEqual(['e3', 'e4']);
      expect(ids(await store.outbox.list({ ...terms, since: at(3), oldestFirst: { after: 'e3' } }))).toEqual(['e4']);
      expect(ids(await store.outbox.list({ ...terms, since: at(3) }))).toEqual(['e4', 'e3']);
    });
  });

  describe('giving up undelivered events', () => {
    it('gives up old events, and those without a receiver, in batches', async () => {
      const store = await open();
      const gone = (id: string, subject?: string, created = 0) =>
        event(id, subject, { account: 'gone', created_at: at(created) });
      await store.outbox.add([gone('a1', 'a'), gone('a2', 'a'), gone('a3', 'a', 50), gone('b1', 'b'), gone('c1', 'c')]);
      await store.outbox.add([event('e1')]);
      await store.outbox.writeDelivery(sent(gone('b1', 'b')), {
        status: 'pending',
        tries: 3,
        next_try_at: at(90),
        fault: 'timeout',
      });
      expect(await store.outbox.failOrphaned(['demo'], at(50), at(99), 3)).toBe(3);
      expect(await store.outbox.failOrphaned(['demo'], at(50), at(99), 3)).toBe(1);
      expect(await store.outbox.failOrphaned(['demo'], at(50), at(99), 3)).toBe(0);
      const given = { status: 'failed', tries: 0, failed_at: at(99), reason: 'no_answer' };
      for (const id of ['a1', 'a2', 'c1']) expect((await store.outbox.get('gone', id))?.delivery).toEqual(given);
      expect((await store.outbox.get('gone', 'b1'))?.delivery).toEqual({ ...given, tries: 3 });
      expect(await store.stats.figures(at(99), [])).toMatchObject({ pending_events: 2, failed_events: 4 });
      expect(ids(await store.outbox.leaseDue('demo', 'default', at(99), at(120), 10))).toEqual(['e1']);
      // If the account returns, the younger event is now the first of its subject.
      expect(ids(await store.outbox.leaseDue('gone', 'default', at(99), at(120), 10))).toEqual(['a3']);
      expect(await store.outbox.redeliver('gone', 'b1', at(100), toDefault)).toMatchObject({ kind: 'redelivered' });
      expect(ids(await store.outbox.leaseDue('gone', 'default', at(100), at(120), 10))).toEqual(['b1']);
    });

    it('applies to all accounts if none has a receiver', async () => {
      const store = await open();
      await store.outbox.add([event('e1')]);
      expect(await store.outbox.failOrphaned([], at(1), at(2), 10)).toBe(1);
    });
  });
}
