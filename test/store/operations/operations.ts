import { describe, expect, it } from 'vitest';
import {
  answered,
  at,
  claim,
  event,
  ids,
  key,
  lease,
  nextOperation,
  noAnswer,
  type Open,
  operation,
  refund,
} from '../fixtures.ts';

/** Operations: their beginning and their end. */
export function operationBehaviour(open: Open): void {
  describe('operations', () => {
    it('change one version at a time, with answer and webhooks', async () => {
      const store = await open();
      await store.keys.claim(claim, at(0));
      const one = operation('op_1');
      await store.operations.begin(one, [], claim);
      const finished = nextOperation(one, answered);
      const finish = { operation: finished, answered: { ...key, reply: 'r' }, events: [event('in_time')] };
      expect(await store.operations.finish({ ...finish, operation: { ...finished, version: 7 } })).toBe(false);
      expect(await store.outbox.leaseDue('demo', 'default', at(1), at(60), 10)).toEqual([]);
      expect(await store.keys.claim(claim, at(0))).toEqual({ kind: 'running', subject: 'op_1' });
      expect(await store.operations.finish(finish)).toBe(true);
      expect(await store.operations.finish({ ...finish, events: [event('too_late')] })).toBe(false);
      expect(await store.operations.get('op_1')).toEqual(finished);
      expect(await store.keys.claim(claim, at(0))).toEqual({ kind: 'answered', reply: 'r' });
      expect(ids(await store.outbox.leaseDue('demo', 'default', at(1), at(60), 10))).toEqual(['in_time']);
    });

    it('hold a request_id for one payout per account, unless unsent', async () => {
      const store = await open();
      const payout = (id: string, account = 'demo') => operation(id, { name: 'payout', request_id: 'r', account });
      expect(await store.operations.begin(payout('op_1'), [])).toEqual({ kind: 'begun' });
      expect(await store.operations.begin(payout('op_2'), [])).toEqual({ kind: 'request_id_used', id: 'op_1' });
      expect(await store.operations.begin(payout('op_3', 'other'), [])).toEqual({ kind: 'begun' });
      const refused = nextOperation(payout('op_3', 'other'), { status: 'refused', evidence: {} });
      const nothing = nextOperation(payout('op_1'), { status: 'not_sent' });
      for (const operation of [refused, nothing]) await store.operations.finish({ operation, events: [] });
      const used = { kind: 'request_id_used', id: 'op_3' };
      expect(await store.operations.begin(payout('op_5', 'other'), [])).toEqual(used);
      expect(await store.operations.begin(payout('op_4'), [])).toEqual({ kind: 'begun' });
    });

    it('give a request_id to one of many concurrent payouts', async () => {
      const store = await open();
      const begun = Array.from({ length: 6 }, (_, i) =>
        store.operations.begin(operation(`op_${i}`, { name: 'payout', request_id: 'r' }), []),
      );
      const kinds = (await Promise.all(begun)).map(({ kind }) => kind);
      expect(kinds.toSorted()).toEqual(['begun', ...Array(5).fill('request_id_used')]);
    });

    it('are not begun when their key leads elsewhere', async () => {
      const store = await open();
      await store.keys.claim(claim, at(0));
      const later = { ...claim, claimed_at: at(7200) };
      expect(await store.keys.claim(later, at(3601))).toEqual({ kind: 'claimed' });
      expect(await store.operations.begin(operation('op_1'), [refund(1n)], claim)).toEqual({ kind: 'key_lost' });
      expect(await store.operations.get('op_1')).toBeUndefined();
      expect(await store.operations.begin(operation('op_2'), [refund(1000n)], later)).toEqual({ kind: 'begun' });
      expect(await store.operations.begin(operation('op_3'), [], later)).toEqual({ kind: 'key_lost' });
    });

    it('are leased longest due first, up to the requested number', async () => {
      const store = await open();
      for (const second of [3, 1, 2]) {
        const begun = operation(`op_${second}`, { created_at: at(second) });
        await store.operations.begin(begun, []);
      }
      expect(ids(await store.operations.leaseOrphaned(lease(9, 20, 2), at(5)))).toEqual(['op_1', 'op_2']);
      expect(ids(await store.operations.leaseOrphaned(lease(9, 20, 2), at(5)))).toEqual(['op_3']);
      // An operation that began earlier is due later.
      for (const second of [3, 1, 2]) {
        const lookup = { before: [], asked_at: at(0), next_look_at: at(20 - second), looks: 0 };
        const lost = nextOperation(operation(`op_${second}`, { created_at: at(second) }), noAnswer, { lookup });
        expect(await store.operations.finish({ operation: lost, events: [] })).toBe(true);
      }
      expect(ids(await store.operations.leaseDue(lease(30, 60, 2), ['demo']))).toEqual(['op_3', 'op_2']);
      expect(ids(await store.operations.leaseDue(lease(30, 60, 2), ['demo']))).toEqual(['op_1']);
    });
  });
}
