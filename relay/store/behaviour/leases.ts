import { describe, expect, it } from 'vitest';
import type { Store } from '../store.ts';
import {
  at,
  attempt,
  ids,
  lease,
  next,
  nextOperation,
  noAnswer,
  notification,
  type Open,
  operation,
  processing,
  session,
  unknown,
} from './fixtures.ts';

/** How several relays share the work that nobody asks for. */
export function leaseBehaviour(open: Open): void {
  const unknownOnes = async (store: Store, ...looks: number[]): Promise<void> => {
    for (const look of looks) {
      const started = await processing(store, `u${look}`);
      await store.settle(next(started, unknown(look)), attempt(`at_u${look}`, started), 'unchanged', []);
    }
  };

  describe('a lease', () => {
    it('finds what is due, stranded and expirable, and nothing else', async () => {
      const store = await open();
      await store.createSession(session('open', 'open'));
      await processing(store, 'stranded');
      await unknownOnes(store, 10);
      expect(ids(await store.leaseDueSessions(lease(9, 99), ['demo']))).toEqual([]);
      expect(ids(await store.leaseDueSessions(lease(10, 99), ['other']))).toEqual([]);
      expect(ids(await store.leaseDueSessions(lease(10, 99), ['other', 'demo']))).toEqual(['u10']);
      expect(ids(await store.leaseStrandedSessions(lease(9, 99), at(-1)))).toEqual([]);
      expect(ids(await store.leaseStrandedSessions(lease(9, 99), at(1)))).toEqual(['stranded']);
      expect(ids(await store.leaseExpirableSessions(lease(86_399, 99_999)))).toEqual([]);
      expect(ids(await store.leaseExpirableSessions(lease(86_400, 99_999)))).toEqual(['open']);
    });

    it('gives the longest due first, and no more than asked for', async () => {
      const store = await open();
      await unknownOnes(store, 3, 1, 2);
      expect(ids(await store.leaseDueSessions(lease(9, 99, 2), ['demo']))).toEqual(['u1', 'u2']);
      expect(ids(await store.leaseDueSessions(lease(9, 99, 2), ['demo']))).toEqual(['u3']);
    });

    it('gives a session to nobody else before it ends, and to another afterwards', async () => {
      const store = await open();
      await unknownOnes(store, 1);
      expect(await store.leaseDueSessions(lease(1, 60), ['demo'])).toHaveLength(1);
      expect(await store.leaseDueSessions(lease(59, 99), ['demo'])).toEqual([]);
      expect(await store.leaseDueSessions(lease(60, 99), ['demo'])).toHaveLength(1);
    });

    it('ends with any change of the session', async () => {
      const store = await open();
      await unknownOnes(store, 1);
      const [taken] = await store.leaseDueSessions(lease(1, 60), ['demo']);
      if (!taken) throw new Error('nothing is due');
      await store.update(next(taken, unknown(2)), []);
      expect(await store.leaseDueSessions(lease(2, 60), ['demo'])).toHaveLength(1);
    });

    it('gives each of many to one of those who ask at the same moment', async () => {
      const store = await open();
      await unknownOnes(store, 1, 2, 3, 4, 5, 6);
      const shares = Array.from({ length: 6 }, () => store.leaseDueSessions(lease(9, 99, 2), ['demo']));
      const given = ids((await Promise.all(shares)).flat());
      const rest = ids(await store.leaseDueSessions(lease(9, 99), ['demo']));
      expect([...given, ...rest].toSorted()).toEqual(['u1', 'u2', 'u3', 'u4', 'u5', 'u6']);
    });

    it('of stranded and of due operations works alike', async () => {
      const store = await open();
      await store.beginOperation(operation('op_1'), []);
      await store.beginOperation(operation('op_2', { created_at: at(9) }), []);
      expect(ids(await store.leaseOrphanedOperations(lease(10, 60), at(5)))).toEqual(['op_1']);
      expect(ids(await store.leaseOrphanedOperations(lease(59, 99), at(5)))).toEqual([]);
      expect(ids(await store.leaseOrphanedOperations(lease(60, 99), at(5)))).toEqual(['op_1']);

      const lookup = { before: [], asked_at: at(0), next_look_at: at(70), looks: 0 };
      const lost = nextOperation(operation('op_1'), noAnswer, { lookup });
      expect(await store.finishOperation({ operation: lost, events: [] })).toBe(true);
      expect(ids(await store.leaseDueOperations(lease(69, 99), ['demo']))).toEqual([]);
      expect(ids(await store.leaseDueOperations(lease(70, 80), ['other']))).toEqual([]);
      expect(ids(await store.leaseDueOperations(lease(70, 80), ['demo']))).toEqual(['op_1']);
      expect(ids(await store.leaseDueOperations(lease(79, 99), ['demo']))).toEqual([]);
      expect(ids(await store.leaseDueOperations(lease(80, 99), ['demo']))).toEqual(['op_1']);
      await store.finishOperation({ operation: nextOperation(lost, noAnswer), events: [] });
      expect(ids(await store.leaseDueOperations(lease(81, 99), ['demo']))).toEqual(['op_1']);
      await store.finishOperation({
        operation: { ...nextOperation(lost, noAnswer), version: 4, lookup: { ...lookup, next_look_at: at(90) } },
        events: [],
      });
      expect(ids(await store.leaseDueOperations(lease(89, 99), ['demo']))).toEqual([]);
    });
  });

  describe('notifications', () => {
    it('make the order of their session due, and are counted with it', async () => {
      const store = await open();
      for (const id of ['cs_1', 'cs_2']) await processing(store, id);
      await store.addNotification(notification('cs_1', 5));
      await store.addNotification(notification('cs_1', 6, 'b'));
      await store.addNotification(notification('op_1', 6));
      expect(await store.order('demo', 'cs_1')).toMatchObject({ notices: 2, next_query_at: at(5) });
      expect(await store.order('demo', 'cs_2')).toMatchObject({ notices: 0 });
      expect(await store.leaseDueOrders(lease(4, 60), ['demo'], at(4))).toEqual([]);
      expect(await store.leaseDueOrders(lease(9, 60), ['other'], at(9))).toEqual([]);
      expect(await store.leaseDueOrders(lease(9, 60), ['demo'], at(9))).toMatchObject([{ order_no: 'cs_1' }]);
    });

    it('let the session that they are about wait for one look', async () => {
      const store = await open();
      for (const id of ['cs_1', 'cs_2']) await store.createSession(session(id, id));
      expect(await store.leaseNotifiedSessions(lease(9, 60), ['demo'], at(9))).toEqual([]);
      await store.addNotification(notification('cs_1', 1));
      await store.addNotification(notification('cs_1', 2, 'b'));
      await store.addNotification(notification('op_1', 2));
      expect(await store.leaseNotifiedSessions(lease(9, 60), ['other'], at(9))).toEqual([]);
      expect(ids(await store.leaseNotifiedSessions(lease(9, 60), ['demo'], at(9)))).toEqual(['cs_1']);
      await store.lookedAtNotified(['cs_1'], lease(9, 60));
      expect(await store.leaseNotifiedSessions(lease(99, 120), ['demo'], at(99))).toEqual([]);
    });

    it('that come while it is looked at lead to another look, after a pause', async () => {
      const store = await open();
      await store.createSession(session('cs_1'));
      await store.addNotification(notification('cs_1', 1));
      await store.leaseNotifiedSessions(lease(2, 60), ['demo'], at(0));
      await store.addNotification(notification('cs_1', 3));
      await store.lookedAtNotified(['cs_1'], lease(2, 60));
      expect(await store.leaseNotifiedSessions(lease(4, 60), ['demo'], at(1))).toEqual([]);
      expect(ids(await store.leaseNotifiedSessions(lease(7, 60), ['demo'], at(2)))).toEqual(['cs_1']);
    });

    it('that another relay’s slower clock dates earlier do not hide those that came while it is looked at', async () => {
      const store = await open();
      await store.createSession(session('cs_1'));
      await store.addNotification(notification('cs_1', 1));
      await store.leaseNotifiedSessions(lease(2, 60), ['demo'], at(0));
      await store.addNotification(notification('cs_1', 3));
      await store.addNotification(notification('cs_1', 1, 'b'));
      await store.lookedAtNotified(['cs_1'], lease(2, 60));
      expect(ids(await store.leaseNotifiedSessions(lease(7, 60), ['demo'], at(2)))).toEqual(['cs_1']);
    });

    it('of a relay that died are another one’s when its lease ends', async () => {
      const store = await open();
      await store.createSession(session('cs_1'));
      await store.addNotification(notification('cs_1', 1));
      expect(await store.leaseNotifiedSessions(lease(2, 60), ['demo'], at(0))).toHaveLength(1);
      expect(await store.leaseNotifiedSessions(lease(59, 99), ['demo'], at(58))).toEqual([]);
      expect(await store.leaseNotifiedSessions(lease(60, 99), ['demo'], at(58))).toHaveLength(1);
    });

    it('leave the look that is due anyway alone', async () => {
      const store = await open();
      await unknownOnes(store, 5);
      await store.addNotification(notification('u5', 1));
      await store.leaseNotifiedSessions(lease(2, 60), ['demo'], at(0));
      expect(await store.leaseDueSessions(lease(5, 60), ['demo'])).toHaveLength(1);
      const [before] = await store.leaseDueSessions(lease(60, 99), ['demo']);
      expect(before?.version).toBe(3);
    });
  });
}
