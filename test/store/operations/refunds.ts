import { describe, expect, it } from 'vitest';
import type { RefundLookup, Settlement, StoredOperation } from '../../../relay/payments/operations/operation.ts';
import type { OrderPayment } from '../../../relay/payments/order.ts';
import {
  answered,
  approve,
  at,
  ids,
  nextOperation,
  type Open,
  operation,
  processing,
  purgeOnce,
  refund,
  spellingsOf,
} from '../fixtures.ts';

/** How the refunds among operations count against a payment. */
export function refundBehaviour(open: Open): void {
  describe('refunds', () => {
    it('begin only if the refunded amount is the expected one', async () => {
      const store = await open();
      const refundOf = (amount: bigint, refunded: bigint) => [{ ...refund(amount), refunded }];
      const meanwhile = { kind: 'refunded_meanwhile', item: 0 };
      expect(await store.operations.begin(operation('op_1'), refundOf(200n, 100n))).toEqual(meanwhile);
      const both = [operation('op_2'), operation('op_3')].map((one) => store.operations.begin(one, refundOf(200n, 0n)));
      expect(await Promise.all(both)).toEqual(expect.arrayContaining([{ kind: 'begun' }, meanwhile]));
      expect(await store.operations.begin(operation('op_4'), refundOf(200n, 200n))).toEqual({ kind: 'begun' });
    });

    it('that may have happened count against their payment', async () => {
      const store = await open();
      const one = operation('op_1');
      expect(await store.operations.begin(one, [refund(400n), refund(400n)])).toEqual({ kind: 'begun' });
      const exceeds = { kind: 'refund_exceeds_payment', item: 0, left: 200n };
      expect(await store.operations.begin(operation('op_2'), [refund(201n)])).toEqual(exceeds);
      expect(await store.operations.get('op_2')).toBeUndefined();
      await store.operations.finish({ operation: nextOperation(one, answered), counted: [true, false], events: [] });
      expect(await store.operations.begin(operation('op_3'), [refund(600n)])).toEqual({ kind: 'begun' });
      expect(await store.operations.begin(operation('op_4'), [refund(1n)])).toMatchObject({ left: 0n });
      const other = operation('op_5', { account: 'other' });
      expect(await store.operations.begin(other, [refund(1000n)])).toEqual({ kind: 'begun' });
    });

    it('and payments determine which spellings of a transaction are known', async () => {
      const store = await open();
      await approve(store, await processing(store, 'cs_1'));
      const paid =
        (await store.orders.get('demo', (await store.sessions.get('cs_1'))?.order_no ?? '')).payments[0]
          ?.transaction_id ?? '';
      await approve(store, await processing(store, 'cs_2'), 't-1');
      const refunds = ['T-1', 'U 1', 'V\u200b'].map((id) => refund(1n, 1000n, 'BRL', id));
      expect(await store.operations.begin(operation('op_1'), refunds)).toEqual({
        ...{ kind: 'other_form', item: 0, known: 't-1' },
      });
      await store.operations.begin(operation('op_1'), refunds.slice(1));
      const of = (...names: string[]) => spellingsOf(store, 'demo', ...names);
      expect(await of('T -1', 'U1', 'w')).toEqual(['t-1', 'U 1', undefined]);
      // Each is known itself.
      expect(await of('t-1', 'U 1', paid)).toEqual([undefined, undefined, undefined]);
      expect(await of('v')).toEqual(['V\u200b']);
      expect(await of(paid.toLowerCase())).toEqual([paid]);
      expect(await spellingsOf(store, 'other', 'T-1')).toEqual([undefined]);
    });

    it('of a payment under simultaneous spellings begin under one', async () => {
      const store = await open();
      // Enough of them that some wait for others.
      const payments = Array.from({ length: 8 }, (_, n) => [`TX-${n}`, `tx-${n}`, `Tx-${n}`, `T X-${n}`]);
      const begin = (id: string) => store.operations.begin(operation(`op ${id}`), [refund(1n, 1n, 'BRL', id)]);
      const answers = await Promise.all(payments.map((spellings) => Promise.all(spellings.map(begin))));
      for (const [n, spellings] of payments.entries()) {
        const begun = answers[n] ?? [];
        const known = spellings[begun.findIndex(({ kind }) => kind === 'begun')];
        const other = { kind: 'other_form', item: 0, known };
        expect(begun.filter(({ kind }) => kind !== 'begun')).toEqual([other, other, other]);
        expect(await spellingsOf(store, 'demo', `tX-${n} `)).toEqual([known]);
      }
    });

    it.each([0x3000, 0x200e, 0x202f, 0xfe0f])('are refused under a second spelling with character %i', async (code) => {
      const unseen = String.fromCodePoint(code);
      const store = await open();
      const begin = (id: string) => store.operations.begin(operation(`op ${id}`), [refund(1n, 1n, 'BRL', id)]);
      const [known, other] = [`T${unseen}X`, `t${unseen}x`];
      expect(await begin(known)).toEqual({ kind: 'begun' });
      expect(await begin(other)).toEqual({ kind: 'other_form', item: 0, known });
    });

    it('make their spelling known while they may have happened', async () => {
      const store = await open();
      const begin = (id: string, ...named: string[]) => {
        const refunds = named.map((name) => refund(1n, 1n, 'BRL', name));
        return store.operations.begin(operation(id), refunds);
      };
      const finish = async (operation: StoredOperation, counted: boolean[]) =>
        expect(await store.operations.finish({ operation, counted, events: [] })).toBe(true);
      const settle = async (transaction_id: string, proof: OrderPayment['proof']) => {
        const before = await store.orders.get('demo', transaction_id);
        const payments: OrderPayment[] = [{ transaction_id, amount: '1.00', currency: 'BRL', proof, date: at(0) }];
        return store.orders.write({ before, after: { ...before, payments }, events: [] });
      };
      const lookup: RefundLookup = { asked_at: at(0), since: at(0), next_look_at: at(60), looks: 3 };
      const { next_look_at: _, ...over } = lookup;
      const absent: Settlement = { by: 'refund_search', items: ['failed'], refund_reference_ids: [], absent: [0] };
      const other = { kind: 'other_form', known: 'TX 1' };

      await begin('op_1', 'TX 1');
      const watched = nextOperation(operation('op_1'), { status: 'settled', settlement: absent }, { lookup });
      await finish(watched, [false]);
      expect(await begin('op_2', 'tx1')).toEqual({ ...other, item: 0 });
      expect(await settle('tx1', 'person')).toEqual(other);
      expect(await settle('tx1', 'record')).toEqual({ kind: 'written' });
      expect(await begin('op_3', 'TX 1')).toEqual({ kind: 'begun' });

      await begin('op_4', 'R 1');
      const refused = nextOperation(operation('op_4'), { status: 'refused', evidence: {} }, { lookup });
      await finish(refused, [false]);
      expect(await begin('op_5', 'r1')).toEqual({ ...other, item: 0, known: 'R 1' });
      await finish(nextOperation(refused, refused.state, { lookup: over }), [false]);
      expect(await begin('op_5', 'r1')).toEqual({ kind: 'begun' });

      // An item that the gateway reported as failed proves no spelling, even while another item of its batch is
      // searched for.
      await begin('op_6', 'U 1', 'V 1');
      const partly: StoredOperation['state'] = { status: 'answered', answer: {}, items: ['failed', 'unknown'] };
      await finish(nextOperation(operation('op_6'), partly, { lookup }), [false, true]);
      expect(await begin('op_7', 'u1')).toEqual({ kind: 'begun' });
      expect(await begin('op_8', 'v1')).toEqual({ ...other, item: 0, known: 'V 1' });
    });

    it('of one batch count together', async () => {
      const store = await open();
      const batch = [refund(600n), refund(1n, 1000n, 'BRL', 'U'), refund(401n)];
      const exceeds = { kind: 'refund_exceeds_payment', item: 2, left: 400n };
      expect(await store.operations.begin(operation('op_1'), batch)).toEqual(exceeds);
    });

    it('of the relay’s own payment are limited to the paid amount', async () => {
      const store = await open();
      await approve(store, await processing(store, 'cs_1'));
      expect(await store.operations.begin(operation('op_1'), [refund(1001n, 9000n)])).toMatchObject({ left: 1000n });
      expect(await store.operations.begin(operation('op_2'), [refund(1n, 1000n, 'USD')])).toEqual({
        kind: 'currency_differs',
        item: 0,
        currency: 'BRL',
      });
      expect(await store.operations.begin(operation('op_3'), [refund(1000n, 500n)])).toEqual({ kind: 'begun' });
    });

    it('of another payment are limited by its least original amount, currency', async () => {
      const store = await open();
      expect(await store.operations.begin(operation('op_1'), [refund(400n, 1000n)])).toEqual({ kind: 'begun' });
      expect(await store.operations.begin(operation('op_2'), [refund(700n, 9000n)])).toMatchObject({ left: 600n });
      expect(await store.operations.begin(operation('op_3'), [refund(1n, 1000n, 'USD')])).toEqual({
        kind: 'currency_differs',
        item: 0,
        currency: 'BRL',
      });
    });

    it('are counted in amounts beyond the range of a double', async () => {
      const store = await open();
      const max = 99_999_999_999_999_999n;
      await store.operations.begin(operation('op_1'), [refund(max - 1n, max)]);
      expect(await store.operations.begin(operation('op_2'), [refund(2n, max)])).toMatchObject({ left: 1n });
      expect(await store.operations.begin(operation('op_3'), [refund(1n, max)])).toEqual({ kind: 'begun' });
    });

    it('that begin simultaneously never exceed their payment together', async () => {
      const store = await open();
      const begun = Array.from({ length: 10 }, (_, i) => store.operations.begin(operation(`op_${i}`), [refund(300n)]));
      const kinds = (await Promise.all(begun)).map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === 'begun')).toHaveLength(3);
      expect(kinds.filter((kind) => kind === 'refund_exceeds_payment')).toHaveLength(7);
    });

    it('never exceed a shared payment when they are concurrent', async () => {
      const store = await open();
      const shared = refund(300n, 1000n, 'BRL', 'S');
      const own = (i: number) => [refund(1n, 1000n, 'BRL', `own ${i}`), shared];
      const begun = Array.from({ length: 10 }, (_, i) =>
        store.operations.begin(operation(`op_${i}`), i % 2 ? own(i) : [shared]),
      );
      const kinds = (await Promise.all(begun)).map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === 'begun')).toHaveLength(3);
      expect(await store.operations.refundsOf('demo', ['S'])).toHaveLength(3);
    });

    it('are summed for each payment, as far as they count', async () => {
      const store = await open();
      const one = operation('op_1');
      await store.operations.begin(one, [refund(300n), refund(200n)]);
      await store.operations.begin(operation('op_2'), [refund(50n, 1000n, 'BRL', 'U')]);
      const sums = async (account = 'demo') => store.operations.refunded(account, ['T', 'U', 'V']);
      const other = { transaction_id: 'U', sum: 50n };
      expect(await sums()).toEqual([{ transaction_id: 'T', sum: 500n }, other]);
      await store.operations.finish({ operation: nextOperation(one, answered), counted: [true, false], events: [] });
      expect(await sums()).toEqual([{ transaction_id: 'T', sum: 300n }, other]);
      expect(await sums('other')).toEqual([]);
    });

    it('are summed exactly, including deleted ones', async () => {
      const store = await open();
      const [odd, max] = [2n ** 53n + 1n, 2n ** 60n];
      for (const [id, second] of [['op_1', 0] as const, ['op_2', 200] as const]) {
        const one = operation(id, { created_at: at(second) });
        await store.operations.begin(one, [refund(odd, max)]);
        await store.operations.finish({ operation: nextOperation(one, answered), counted: [true], events: [] });
        await purgeOnce(store, { before: at(100), counted_before: at(100), limit: 10 });
        if (id === 'op_1') expect(await store.operations.get(id)).toBeUndefined();
      }
      expect(await store.operations.refunded('demo', ['T'])).toEqual([{ transaction_id: 'T', sum: 2n * odd }]);
    });

    it('are found by their payments, oldest operation first', async () => {
      const store = await open();
      await store.operations.begin(operation('op_2', { created_at: at(2) }), [refund(1n)]);
      await store.operations.begin(operation('op_1', { created_at: at(1) }), [refund(1n), refund(1n)]);
      await store.operations.begin(operation('op_3'), [refund(1n, 1000n, 'BRL', 'U')]);
      await store.operations.begin(operation('op_4', { account: 'other' }), [refund(1n)]);
      expect(ids(await store.operations.refundsOf('demo', ['T']))).toEqual(['op_1', 'op_2']);
      expect(ids(await store.operations.refundsOf('demo', ['T', 'U']))).toEqual(['op_3', 'op_1', 'op_2']);
      expect(await store.operations.refundsOf('demo', ['V'])).toEqual([]);
    });
  });
}
