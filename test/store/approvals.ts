import { describe, expect, it } from 'vitest';
import type { StoredApproval } from '../../relay/payments/operations/approval.ts';
import type { StoredAuditEntry } from '../../relay/store/facets/people.ts';
import type { Store } from '../../relay/store/store.ts';
import { at, claim, ids, key, type Open, operation, purgeOnce, refund } from './fixtures.ts';

const approval = (id: string, more: Partial<StoredApproval> = {}): StoredApproval => ({
  ...{ id, account: 'demo', name: 'refund', by: 'person:Ada', created_at: at(0), expires_at: at(60) },
  ...{ version: 1, items: [], sealed: 's', state: { status: 'waiting' }, ...more },
});

const entry = (action: StoredAuditEntry['action'], subject: string): StoredAuditEntry => ({
  ...{ account: 'demo', at: at(0), by: 'person:Ada', action, subject, request_id: 'req_1' },
});
const audit = entry('approval.request', 'ap_1');
const answered = { ...key, reply: 'sealed' };
const plain = { answered: undefined, audit };

const approved = (id: string, operation_id: string, version = 2): StoredApproval =>
  approval(id, { version, state: { status: 'approved', by: 'person:Bob', at: at(1), operation_id } });
const declined = (id: string): StoredApproval =>
  approval(id, { version: 2, sealed: '', state: { status: 'declined', by: 'person:Bob', at: at(1) } });

const begin = (store: Store, id: string, one: StoredApproval) =>
  store.operations.begin(operation(id), [refund(100n, 1000n)], undefined, entry('approval.approve', id), one);

/** Requests that wait for the approval of another person. */
export function approvalBehaviour(open: Open): void {
  describe('a request for approval', () => {
    it('is stored with its reply and its audit entry', async () => {
      const store = await open();
      await store.keys.claim(claim, at(0));
      expect(await store.approvals.add(approval('ap_1'), claim, { answered, audit })).toBe(true);
      expect(await store.approvals.get('ap_1')).toEqual(approval('ap_1'));
      expect(await store.keys.claim(claim, at(0))).toEqual({ kind: 'answered', reply: answered.reply });
      expect(await store.people.listAudit({ account: 'demo', limit: 9 })).toMatchObject([audit]);
    });

    it('is not stored if its key is lost', async () => {
      const store = await open();
      await store.keys.claim(claim, at(0));
      await store.keys.release([claim]);
      expect(await store.approvals.add(approval('ap_1'), claim, { answered, audit })).toBe(false);
      await store.keys.claim({ ...claim, claimed_at: at(3605) }, at(0));
      expect(await store.approvals.add(approval('ap_1'), claim, { answered, audit })).toBe(false);
      expect(await store.approvals.get('ap_1')).toBeUndefined();
      expect(await store.people.listAudit({ account: 'demo', limit: 9 })).toEqual([]);
    });

    it('is listed for its account until it ends', async () => {
      const store = await open();
      for (const [id, more] of [
        ['ap_2', { expires_at: at(70) }],
        ['ap_1', {}],
        ['ap_3', { account: 'other' }],
      ] as const) {
        await store.approvals.add(approval(id, more), undefined, plain);
      }
      expect(ids(await store.approvals.list('demo', at(59), 9))).toEqual(['ap_1', 'ap_2']);
      expect(ids(await store.approvals.list('demo', at(59), 1))).toEqual(['ap_2']);
      expect(ids(await store.approvals.list('demo', at(60), 9))).toEqual(['ap_2']);
    });

    it('is decided once', async () => {
      const store = await open();
      await store.approvals.add(approval('ap_1'), undefined, plain);
      const decide = () =>
        store.approvals.change(declined('ap_1'), { answered: undefined, audit: entry('approval.decline', 'ap_1') });
      expect((await Promise.all([decide(), decide(), decide()])).filter(Boolean)).toHaveLength(1);
      expect(await store.approvals.get('ap_1')).toEqual(declined('ap_1'));
      expect(await begin(store, 'op_1', approved('ap_1', 'op_1'))).toEqual({ kind: 'approval_changed' });
      expect(await store.operations.get('op_1')).toBeUndefined();
      expect(await store.people.listAudit({ account: 'demo', limit: 9 })).toHaveLength(2);
    });

    it('begins one operation for any number of approvals', async () => {
      const store = await open();
      await store.approvals.add(approval('ap_1'), undefined, plain);
      const names = ['op_1', 'op_2', 'op_3', 'op_4'];
      const begun = await Promise.all(names.map((id) => begin(store, id, approved('ap_1', id))));
      expect(begun.map(({ kind }) => kind).toSorted()).toEqual([...Array(3).fill('approval_changed'), 'begun']);
      const state = (await store.approvals.get('ap_1'))?.state;
      const [kept, ...others] = await store.operations.getMany(names);
      expect([state, others]).toMatchObject([{ status: 'approved', operation_id: kept?.id }, []]);
      expect(await store.approvals.change(declined('ap_1'), plain)).toBe(false);
      expect(await store.operations.refunded('demo', [refund(1n, 1n).transaction_id])).toMatchObject([{ sum: 100n }]);
    });

    it('is unchanged if its operation is refused', async () => {
      const store = await open();
      await store.approvals.add(approval('ap_1'), undefined, plain);
      const tooMuch = [refund(2000n, 1000n)];
      const begun = await store.operations.begin(
        operation('op_1'),
        tooMuch,
        undefined,
        audit,
        approved('ap_1', 'op_1'),
      );
      expect(begun.kind).toBe('refund_exceeds_payment');
      expect(await store.approvals.get('ap_1')).toEqual(approval('ap_1'));
      expect(await begin(store, 'op_2', approved('ap_1', 'op_2'))).toEqual({ kind: 'begun' });
      // Nothing was sent: the same person or another can approve it again.
      expect(await begin(store, 'op_3', approved('ap_1', 'op_3', 3))).toEqual({ kind: 'begun' });
    });

    it('is deleted when it is old', async () => {
      const store = await open();
      await store.approvals.add(approval('ap_1'), undefined, plain);
      await store.approvals.add(approval('ap_2', { expires_at: at(80) }), undefined, plain);
      await purgeOnce(store, { before: at(70), counted_before: at(0), limit: 9 });
      expect(await store.approvals.get('ap_1')).toBeUndefined();
      expect(await store.approvals.get('ap_2')).toBeDefined();
    });
  });
}
