import { describe, expect, it } from 'vitest';
import type { OrderPayment, StoredOrder } from '../../../relay/payments/order.ts';
import type { Session } from '../../../relay/payments/session.ts';
import type { Store } from '../../../relay/store/store.ts';
import { approve, at, type Open, operation, processing, refund } from '../fixtures.ts';

const payment = (transaction_id: string, amount = '10.00'): OrderPayment => ({
  transaction_id,
  amount,
  currency: 'BRL',
  attempt_id: 'at_cs_1',
  proof: 'record',
  date: at(5),
});

/** Writes the payment of a session's order, replacing the previous one. */
function payingOf(store: Store, { account, order_no }: Session): (payment: OrderPayment) => Promise<void> {
  return async (paid) => {
    const before = await store.orders.get(account, order_no);
    const after: StoredOrder = { ...before, hold: 'paid', payments: [paid] };
    expect(await store.orders.write({ before, after, events: [] })).toEqual({ kind: 'written' });
  };
}

/** Transactions that paid orders: each pays one order and limits its refunds. */
export function transactionBehaviour(open: Open): void {
  describe('a transaction that paid an order', () => {
    it('pays no other order, unless marked as also_paid', async () => {
      const store = await open();
      const before = await store.orders.get('demo', 'B');
      const write = (payments: StoredOrder['payments'], account = 'demo') =>
        store.orders.write({ before: { ...before, account }, after: { ...before, account, payments }, events: [] });
      await approve(store, await processing(store, 'cs_1', 'A'), 'T');
      const known = { kind: 'transaction_known', transaction_id: 'T', order_no: 'A' };
      expect(await write([payment('T2'), payment('T')])).toEqual(known);
      expect(await store.orders.get('demo', 'B')).toEqual(before);
      expect(await write([payment('T')], 'other')).toEqual({ kind: 'written' });
      expect(await write([payment('T2'), { ...payment('T'), also_paid: 'A' }])).toEqual({ kind: 'written' });
      expect((await store.orders.get('demo', 'B')).payments).toMatchObject([{}, { also_paid: 'A' }]);
    });

    it('may pay another once it no longer pays the first', async () => {
      const store = await open();
      const pay = payingOf(store, await processing(store, 'cs_1', 'A'));
      await pay({ ...payment('T'), proof: 'person' });
      await pay(payment('T2'));
      const before = await store.orders.get('demo', 'B');
      const write = (id: string) =>
        store.orders.write({ before, after: { ...before, payments: [payment(id)] }, events: [] });
      expect(await write('T2')).toMatchObject({ kind: 'transaction_known', order_no: 'A' });
      expect(await write('T')).toEqual({ kind: 'written' });
    });

    it('pays one of several orders that name it simultaneously', async () => {
      const store = await open();
      const orders = await Promise.all(['A', 'B', 'C', 'D'].map((name) => store.orders.get('demo', name)));
      const writes = orders.map((before) =>
        store.orders.write({ before, after: { ...before, payments: [payment('T')] }, events: [] }),
      );
      const kinds = (await Promise.all(writes)).map(({ kind }) => kind);
      expect(kinds.toSorted()).toEqual([...Array(3).fill('transaction_known'), 'written']);
    });

    it('pays one of the orders that persons name in several spellings', async () => {
      const store = await open();
      const write = async (id: string, proof: OrderPayment['proof'] = 'person') => {
        const before = await store.orders.get('demo', `${proof} ${id}`);
        return store.orders.write({ before, after: { ...before, payments: [{ ...payment(id), proof }] }, events: [] });
      };
      // Enough of them that some wait for others.
      const all = Array.from({ length: 8 }, (_, n) => [`TX-${n}`, `tx-${n}`, `Tx-${n}`, `T X-${n}`]);
      const answers = await Promise.all(all.map((spellings) => Promise.all(spellings.map((id) => write(id)))));
      for (const [n, spellings] of all.entries()) {
        const written = answers[n] ?? [];
        const known = spellings[written.findIndex(({ kind }) => kind === 'written')];
        const other = { kind: 'other_form', known };
        expect(written.filter(({ kind }) => kind !== 'written')).toEqual([other, other, other]);
      }
      // A record has the gateway's own spelling, which a person may then name, too.
      expect(await write('tX-1', 'record')).toEqual({ kind: 'written' });
      expect(await write('tX-1')).toMatchObject({ kind: 'transaction_known' });
    });

    it('is refunded or named by a person in one spelling', async () => {
      const store = await open();
      for (let n = 0; n < 5; n++) {
        const before = await store.orders.get('demo', `A${n}`);
        const payments: OrderPayment[] = [{ ...payment(`T-${n}`), proof: 'person' }];
        const [written, begun] = await Promise.all([
          store.orders.write({ before, after: { ...before, payments }, events: [] }),
          store.operations.begin(operation(`op_${n}`), [refund(1n, 1n, 'BRL', `t-${n}`)]),
        ]);
        const isWritten = written.kind === 'written';
        expect(written).toEqual(isWritten ? { kind: 'written' } : { kind: 'other_form', known: `t-${n}` });
        expect(begun).toEqual(isWritten ? { kind: 'other_form', item: 0, known: `T-${n}` } : { kind: 'begun' });
      }
    });

    it('limits the refunds of the order that it paid', async () => {
      const store = await open();
      await approve(store, await processing(store, 'cs_1', 'A'), 'T');
      const before = await store.orders.get('demo', 'A');
      const after = { ...before, payments: [...before.payments, payment('T2', '3.00')] };
      await store.orders.write({ before, after, events: [] });
      const begin = (id: string, transaction_id: string, amount: bigint) =>
        store.operations.begin(operation(id), [refund(amount, 9000n, 'BRL', transaction_id)]);
      expect(await begin('op_1', 'T', 1001n)).toMatchObject({ kind: 'refund_exceeds_payment', left: 1000n });
      expect(await begin('op_2', 'T2', 301n)).toMatchObject({ kind: 'refund_exceeds_payment', left: 300n });
      expect(await begin('op_3', 'T2', 300n)).toEqual({ kind: 'begun' });
      expect(await begin('op_4', 'unknown', 9000n)).toEqual({ kind: 'begun' });
    });

    it('limits refunds by proven amounts, not by a person’s statement', async () => {
      const store = await open();
      const pay = payingOf(store, await processing(store, 'cs_1', 'A'));
      await pay({ ...payment('T', '100.00'), proof: 'person' });
      await pay(payment('T', '10.00'));
      const exceeds = { kind: 'refund_exceeds_payment', left: 1000n };
      expect(await store.operations.begin(operation('op_1'), [refund(1001n, 9000n)])).toMatchObject(exceeds);
      await pay(payment('T2', '3.00'));
      const second = refund(301n, 9000n, 'BRL', 'T2');
      expect(await store.operations.begin(operation('op_2'), [second])).toMatchObject({ ...exceeds, left: 300n });
      // The id from the person is no payment of the relay any more.
      expect(await store.operations.begin(operation('op_3'), [refund(9000n, 9000n)])).toEqual({ kind: 'begun' });
    });

    it('keeps the amount that it paid when another order names it', async () => {
      const store = await open();
      await approve(store, await processing(store, 'cs_1', 'A'), 'T');
      const pay = payingOf(store, await processing(store, 'cs_2', 'B'));
      await pay({ ...payment('T', '99.00'), also_paid: 'A' });
      await pay({ ...payment('T', '98.00'), also_paid: 'A' });
      await pay(payment('T2'));
      const exceeds = { kind: 'refund_exceeds_payment', left: 1000n };
      expect(await store.operations.begin(operation('op_1'), [refund(1001n, 9900n)])).toMatchObject(exceeds);
    });

    it('is kept if no refund can contain its id', async () => {
      const store = await open();
      await processing(store, 'cs_1', 'A');
      const before = await store.orders.get('demo', 'A');
      const payments = [payment('x'.repeat(300)), payment('n\0l')];
      expect(await store.orders.write({ before, after: { ...before, payments }, events: [] })).toEqual({
        kind: 'written',
      });
      expect((await store.orders.get('demo', 'A')).payments).toEqual(payments);
    });
  });
}
