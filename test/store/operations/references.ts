import { describe, expect, it } from 'vitest';
import type { OperationState } from '../../../relay/payments/operations/operation.ts';
import { answered, at, claim, nextOperation, noAnswer, type Open, operation, purgeOnce, refund } from '../fixtures.ts';

/** The shop's own references of the items of operations. */
export function referenceBehaviour(open: Open): void {
  describe('references', () => {
    const begun = { kind: 'begun' };

    it('belong to one item of an account and operation', async () => {
      const store = await open();
      const first = operation('op_1', { references: ['a', 'b'] });
      expect(await store.operations.begin(first, [])).toEqual(begun);
      expect(await store.operations.get('op_1')).toEqual(first);
      const again = { references: ['c', 'b', 'a'] };
      const used = { kind: 'reference_used', item: 1, id: 'op_1' };
      expect(await store.operations.begin(operation('op_2', again), [])).toEqual(used);
      expect(await store.operations.get('op_2')).toBeUndefined();
      expect(await store.operations.begin(operation('op_3', { references: ['c'] }), [])).toEqual(begun);
      expect(await store.operations.begin(operation('op_4', { ...again, name: 'capture' }), [])).toEqual(begun);
      expect(await store.operations.begin(operation('op_5', { ...again, account: 'other' }), [])).toEqual(begun);
      expect(await store.operations.begin(operation('op_6'), [])).toEqual(begun);
    });

    it('are reported before the remaining amount of the payment', async () => {
      const store = await open();
      const one = operation('op_1', { references: ['a'] });
      await store.operations.begin(one, [refund(1000n)]);
      const again = await store.operations.begin({ ...one, id: 'op_2' }, [refund(1000n)]);
      expect(again).toEqual({ kind: 'reference_used', item: 0, id: 'op_1' });
    });

    it('are given to one of many simultaneous operations', async () => {
      const store = await open();
      const all = Array.from({ length: 8 }, (_, i) =>
        store.operations.begin(
          operation(`op_${i}`, { references: i % 2 ? ['a', 'b', `${i}`] : ['b', 'a', `${i}`] }),
          [],
        ),
      );
      const kinds = (await Promise.all(all)).map(({ kind }) => kind);
      expect(kinds.toSorted()).toEqual(['begun', ...Array(7).fill('reference_used')]);
    });

    it('are not taken by an operation that does not begin', async () => {
      const store = await open();
      const references = ['a'];
      expect(await store.operations.begin(operation('op_1', { references }), [refund(1001n)])).toMatchObject({
        left: 1000n,
      });
      expect(await store.operations.begin(operation('op_2', { references }), [], claim)).toEqual({ kind: 'key_lost' });
      expect(await store.operations.begin(operation('op_3', { references }), [])).toEqual(begun);
    });

    it('are free again only if their operation was unsent or refused', async () => {
      const store = await open();
      const refused = { status: 'refused', evidence: {} } as const;
      const cases: [string, OperationState, boolean][] = [
        ['not sent', { status: 'not_sent' }, true],
        ['refused', refused, true],
        ['refused, as far as is known', { ...refused, reserved: true }, false],
        ['unknown', noAnswer, false],
        ['failed', { status: 'answered', answer: {}, items: ['failed'] }, false],
        ['settled', { status: 'settled', settlement: { by: 'person', who: 'ops', items: ['failed'] } }, false],
      ];
      for (const [name, state, isFree] of cases) {
        const one = operation(`first ${name}`, { references: [name] });
        await store.operations.begin(one, []);
        expect(await store.operations.finish({ operation: nextOperation(one, state), events: [] })).toBe(true);
        const { kind } = await store.operations.begin({ ...one, id: `second ${name}` }, []);
        expect(kind, name).toBe(isFree ? 'begun' : 'reference_used');
      }
    });

    it('stay used by a second operation when the first ends unsent', async () => {
      const store = await open();
      const [first, second] = ['op_1', 'op_2'].map((id) => operation(id, { references: ['a'] }));
      if (!first || !second) throw new Error('there are two');
      await store.operations.begin(first, []);
      const nothing = nextOperation(first, { status: 'not_sent' });
      await store.operations.finish({ operation: nothing, events: [] });
      await store.operations.begin(second, []);
      await store.operations.finish({ operation: nextOperation(nothing, { status: 'not_sent' }), events: [] });
      expect(await store.operations.begin({ ...first, id: 'op_3' }, [])).toMatchObject({ id: 'op_2' });
    });

    it('are kept longer than their operation', async () => {
      const store = await open();
      const one = operation('op_1', { references: ['a'] });
      await store.operations.begin(one, [refund(1n)]);
      await store.operations.finish({ operation: nextOperation(one, answered), events: [] });
      await purgeOnce(store, { before: at(100), counted_before: at(100), limit: 10 });
      expect(await store.operations.get('op_1')).toBeUndefined();
      expect(await store.operations.begin({ ...one, id: 'op_2' }, [])).toMatchObject({
        kind: 'reference_used',
        id: 'op_1',
      });
    });
  });
}
