import { describe, expect, it } from 'vitest';
import type { Reservation } from '../../../relay/payments/ledger/accounting.ts';
import { type ItemOutcome, outcomeAt, type StoredOperation } from '../../../relay/payments/operations/operation.ts';
import type { Store } from '../../../relay/store/store.ts';
import {
  answered,
  approve,
  at,
  nextOperation,
  noAnswer,
  type Open,
  operation,
  processing,
  purgeOnce,
  refund,
} from '../fixtures.ts';

type Name = 'capture' | 'cancel' | 'review';

const items: ItemOutcome[] = ['succeeded', 'failed', 'unknown'];
const item = { transaction_id: 'T', currency: 'BRL', amount: '10.00' };

/** An operation with these items, and its effect on its payment. */
function asking(id: string, name: Name, amounts = ['10.00'], more: object = {}) {
  const asked = amounts.map((amount) => ({ ...item, amount, ...more }));
  const reserved = amounts.map((amount): Reservation => {
    const item = { transaction_id: 'T', currency: 'BRL', amount: BigInt(amount.replace('.', '')) };
    return name === 'review' ? { ...item, name, flag: 'ACCEPT' } : { ...item, name };
  });
  return { operation: operation(id, { name, request: { [`${name}_orders`]: asked } }), reserved };
}

const begin = (store: Store, ...args: Parameters<typeof asking>) => {
  const { operation, reserved } = asking(...args);
  return store.operations.begin(operation, reserved);
};

const end = (store: Store, one: StoredOperation, state: StoredOperation['state']) =>
  store.operations.finish({ operation: nextOperation(one, state), events: [] });

/** The effects of captures, cancellations and reviews on their payments. */
export function paymentOperationBehaviour(open: Open): void {
  describe('operations on a payment', () => {
    it.each<StoredOperation['state']>([
      { status: 'in_flight' },
      noAnswer,
      { status: 'not_sent' },
      { status: 'refused', evidence: {} },
      { status: 'answered', answer: {}, items },
      { status: 'settled', settlement: { by: 'person', who: 'ops', items } },
      { status: 'answered', answer: {}, items: [] },
    ])('are known with the outcomes of their state %#', async (state) => {
      const store = await open();
      const { operation: one, reserved } = asking('op_1', 'capture', ['1.00', '2.00', '3.00']);
      expect(await store.operations.begin(one, reserved)).toEqual({ kind: 'begun' });
      if (state.status !== 'in_flight') await end(store, { ...one, settled_at: at(7) }, state);
      expect(await store.operations.onPayments('demo', ['T', 'U'])).toEqual(
        ['1.00', '2.00', '3.00'].map((amount, nth) => ({
          ...{ transaction_id: 'T', operation_id: 'op_1', name: 'capture', amount, currency: 'BRL' },
          outcome: outcomeAt(state, nth) ?? 'unknown',
          ...(state.status === 'refused' ? { refused_at: at(7) } : {}),
        })),
      );
      expect(await store.operations.onPayments('other', ['T'])).toEqual([]);
    });

    it('are known with a review’s flag, and exclude refunds', async () => {
      const store = await open();
      expect(await begin(store, 'op_1', 'review', ['10.00'], { review_flag: 'REJECT' })).toEqual({ kind: 'begun' });
      await store.operations.begin(operation('op_2'), [refund(100n)]);
      expect(await store.operations.onPayments('demo', ['T'])).toMatchObject([{ name: 'review', flag: 'REJECT' }]);
    });

    it.each(['a\u0000b', '\ud800', 'a\udc00x', '\\u0000', '\\\u0000', '\u0000\u0000'])(
      'are kept for any text of the gateway: case %#',
      async (note) => {
        const store = await open();
        const { operation: one, reserved } = asking('op_1', 'capture', ['4.00']);
        await store.operations.begin(one, reserved);
        expect(await end(store, one, { status: 'answered', answer: { note }, items: ['succeeded'] })).toBe(true);
        expect(await store.operations.onPayments('demo', ['T'])).toMatchObject([{ outcome: 'succeeded' }]);
      },
    );

    it('are kept after a purge of operations', async () => {
      const store = await open();
      const { operation: one, reserved } = asking('op_1', 'capture', ['4.00']);
      await store.operations.begin(one, reserved);
      await end(store, one, answered);
      await purgeOnce(store, { before: at(10), counted_before: at(0), limit: 10 });
      expect(await store.operations.get('op_1')).toBeUndefined();
      expect(await store.operations.onPayments('demo', ['T'])).toMatchObject([
        { amount: '4.00', outcome: 'succeeded' },
      ]);
      expect(await store.operations.begin(operation('op_2'), [refund(401n)])).toMatchObject({ left: 400n });
    });

    it('that are equal begin one at a time', async () => {
      const store = await open();
      for (const name of ['capture', 'cancel', 'review'] as const) {
        const answers = await Promise.all([1, 2, 3, 4].map((n) => begin(store, `op_${name}${n}`, name, ['2.00'])));
        const undecided = answers.filter(({ kind }) => kind === 'operation_undecided');
        expect([answers.filter(({ kind }) => kind === 'begun').length, undecided.length]).toEqual([1, 3]);
        const begun = (await store.operations.onPayments('demo', ['T'])).find(({ outcome }) => outcome === 'unknown');
        expect(undecided[0]).toMatchObject({ ids: [begun?.operation_id] });
        const one = await store.operations.get(begun?.operation_id ?? '');
        if (one) await end(store, one, { status: 'answered', answer: {}, items: ['failed'] });
        expect(await begin(store, `op_${name}5`, name, ['2.00'])).toEqual({ kind: 'begun' });
        const last = await store.operations.get(`op_${name}5`);
        if (last) await end(store, last, { status: 'not_sent' });
      }
    });

    it('that capture simultaneously take no more than was paid', async () => {
      const store = await open();
      await approve(store, await processing(store, 'cs_1'));
      const amounts = ['4.00', '3.00', '2.50', '2.00', '1.00'];
      const answers = await Promise.all(amounts.map((amount, n) => begin(store, `op_${n}`, 'capture', [amount])));
      const taken = (await store.operations.onPayments('demo', ['T'])).map(({ amount }) => Number(amount) * 100);
      expect(taken.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(1000);
      expect(answers.filter(({ kind }) => kind === 'begun')).toHaveLength(taken.length);
      expect(answers.map(({ kind }) => kind)).toContain('capture_exceeds_payment');
    });

    it('that cancel wait for a refund until it is decided', async () => {
      const store = await open();
      await approve(store, await processing(store, 'cs_1'));
      const refunds = [{ ...item, refund_amount: '1.00' }];
      const one = operation('op_1', { request: { refund_orders: refunds } });
      await store.operations.begin(one, [refund(100n)]);
      expect(await begin(store, 'op_2', 'cancel')).toMatchObject({ kind: 'operation_undecided', ids: ['op_1'] });
      await store.operations.finish({ operation: nextOperation(one, answered), counted: [true], events: [] });
      expect(await begin(store, 'op_2', 'cancel', ['9.00'])).toMatchObject({ kind: 'amount_differs', amount: 1000n });
      expect(await begin(store, 'op_2', 'cancel')).toEqual({ kind: 'begun' });
      expect(await store.operations.begin(operation('op_3'), [refund(100n)])).toMatchObject({
        ...{ kind: 'operation_undecided', ids: ['op_2'] },
      });
    });

    it('and refunds exclude each other, in any order', async () => {
      const store = await open();
      for (let n = 0; n < 10; n++) {
        const transaction_id = `T${n}`;
        const cancelling = asking(`op_c${n}`, 'cancel');
        const [cancelled, refunded] = await Promise.all([
          store.operations.begin(
            { ...cancelling.operation, request: { cancel_orders: [{ ...item, transaction_id }] } },
            cancelling.reserved.map((one) => ({ ...one, transaction_id })),
          ),
          store.operations.begin(
            operation(`op_r${n}`, { request: { refund_orders: [{ ...item, transaction_id, refund_amount: '1.00' }] } }),
            [refund(100n, 1000n, 'BRL', transaction_id)],
          ),
        ]);
        expect([cancelled.kind, refunded.kind].toSorted()).toEqual(['begun', 'operation_undecided']);
      }
    });

    it('make a spelling known unless they failed', async () => {
      const store = await open();
      const { operation: one, reserved } = asking('op_1', 'capture');
      await store.operations.begin(one, reserved);
      const other = [{ ...refund(1n), transaction_id: 't' }];
      expect(await store.operations.begin(operation('op_2'), other)).toMatchObject({ kind: 'other_form', known: 'T' });
      await end(store, one, { status: 'not_sent' });
      expect(await store.operations.begin(operation('op_2'), other)).toEqual({ kind: 'begun' });
    });

    it('find the orders that their payments paid', async () => {
      const store = await open();
      await approve(store, await processing(store, 'cs_1'));
      const { order_no } = (await store.sessions.get('cs_1')) ?? {};
      expect(await store.operations.ordersPaidBy('demo', ['T', 'U'])).toEqual([order_no]);
      expect(await store.operations.ordersPaidBy('other', ['T'])).toEqual([]);
    });
  });
}
