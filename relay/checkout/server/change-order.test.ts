import { describe, expect, it } from 'vitest';
import {
  approvedBy,
  DAY,
  declinedOf,
  lost,
  MINUTE,
  record,
  setUpResolving,
} from '../../../test/support/payments/resolving.ts';
import { silentAudit } from '../../../test/support/relays/audit.ts';
import type { Session } from '../../payments/session.ts';
import type { Store } from '../../store/store.ts';
import { queryBeforePaying } from '../conflicts.ts';
import { checkoutView, publicView } from '../view.ts';
import { changeOrder } from './session.ts';

async function setUp() {
  const relay = await setUpResolving();
  const { context, account } = relay;
  const change = (session: Session, order: Record<string, unknown>, more: object = {}) =>
    changeOrder(context, account, session.id, { order, ...more }, silentAudit);
  return { ...relay, change };
}

const options = [
  { installments: '2', each: '5.00', total: '10.00' },
  { installments: '3', installments_id: 'i3' },
];

describe('a changed order', () => {
  it('has each field replaced whole, and null takes one away', async () => {
    const { session, change, stored } = await setUp();
    const order = {
      order_no: 'A',
      currency: 'BRL',
      amount: '10.00',
      note: 'n',
      person: { email: 'e', social_name: 's' },
    };
    const before = await session('A', { order });
    const after = await change(before, { amount: '12.5', note: null, discount: null, person: { email: 'f' } });
    expect(after).toMatchObject({ revision: 2, version: 2, state: { status: 'open' } });
    expect((await stored(before.id)).terms.order).toEqual({
      order_no: 'A',
      currency: 'BRL',
      amount: '12.50',
      person: { email: 'f' },
    });
  });

  it('keeps its revision where nothing changes', async () => {
    const { session, change, stored } = await setUp();
    const before = await session('A', { installment_options: options });
    for (const same of [{}, { amount: '10.0' }, { order_no: 'A', currency: 'BRL', note: null }]) {
      expect(await change(before, same)).toMatchObject({ revision: 1, version: 1 });
      expect(await change(before, same, { installment_options: options })).toMatchObject({ revision: 1 });
    }
    expect(await stored(before.id)).toEqual(before);
  });

  it('is checked like a new one, with the path of each error', async () => {
    const { session, change, stored } = await setUp();
    const before = await session('A');
    const item = { name: 'ends with #,', code: 'x', price: '1.00', quantity: 1 };
    const mistakes: [string, Record<string, unknown>][] = [
      ['order.order_no', { order_no: 'B' }],
      ['order.order_no', { order_no: null }],
      ['order.amount', { amount: null }],
      ['order.amount', { amount: '0.00' }],
      ['order.amount', { amount: 12.5 }],
      ['order.currency', { currency: null }],
      ['order.shiping', { shiping: '1.00' }],
      ['order.shiping', { shiping: null }],
      ['order.card', { card: '4111111111111111' }],
      ['order.birth_date', { birth_date: '31-02-1990' }],
      ['order.items', { items: [item] }],
      ['order.items.0.quantity', { items: [{ ...item, quantity: 0 }] }],
    ];
    for (const [path, order] of mistakes) {
      const errors = [expect.objectContaining({ path })];
      await expect(change(before, order), path).rejects.toMatchObject({ code: 'invalid_request', errors });
    }
    expect(await stored(before.id)).toEqual(before);
  });

  it('says nothing of what each part of another amount is', async () => {
    const { session, change } = await setUp();
    const one = await session('A', { installment_options: options });
    expect((await change(one, { note: 'n' })).terms.installment_options).toEqual(options);
    const bare = [{ installments: '2' }, { installments: '3', installments_id: 'i3' }];
    expect((await change(one, { amount: '20.00' })).terms.installment_options).toEqual(bare);
    const other = await session('B', { installment_options: options });
    expect((await change(other, { currency: 'USD' })).terms.installment_options).toEqual(bare);
    const third = await session('C', { installment_options: options });
    const plans = [{ installments: '2', each: '10.00' }];
    const planned = await change(third, { amount: '20.00' }, { installment_options: plans });
    expect(planned).toMatchObject({ revision: 2, terms: { installment_options: plans } });
    expect(await change(third, {}, { installment_options: [] })).toMatchObject({ revision: 3 });
  });

  it('is changed only in an open session, by its own account', async () => {
    const { context, account, session, change, pay, pass, poll, stored } = await setUp();
    const open = await session('A');
    const foreign = changeOrder(
      context,
      { ...account, id: 'other' },
      open.id,
      { order: { amount: '1.00' } },
      silentAudit,
    );
    await expect(foreign).rejects.toMatchObject({ code: 'not_found' });
    await expect(change({ ...open, id: 'cs_none' }, {})).rejects.toMatchObject({ code: 'not_found' });
    const started = await session('B');
    await pay(started);
    await expect(change(started, { amount: '1.00' })).rejects.toMatchObject({ code: 'attempt_in_flight' });
    const unknown = await session('C');
    await pay(unknown, lost);
    await expect(change(unknown, { amount: '1.00' })).rejects.toMatchObject({ code: 'attempt_in_flight' });
    const paid = await session('D');
    await pay(paid, approvedBy('T1'));
    await expect(change(paid, { amount: '1.00' })).rejects.toMatchObject({ code: 'session_final' });
    const over = await session('E');
    pass(DAY);
    await expect(change(over, { amount: '1.00' })).rejects.toMatchObject({ code: 'session_final' });
    await poll();
    expect((await stored(over.id)).state).toEqual({ status: 'expired' });
    await expect(change(over, { amount: '1.00' })).rejects.toMatchObject({ code: 'session_final' });
  });

  it('is changed again after another change, and yields to a payment', async () => {
    const { context, account, session, pay, stored } = await setUp();
    const { store } = context;
    const racing = (write: () => Promise<unknown>) => {
      let raced = false;
      const change: Store['sessions']['change'] = async (changed) => {
        if (!raced) {
          raced = true;
          await write();
        }
        return store.sessions.change(changed);
      };
      return { ...context, store: { ...store, sessions: { ...store.sessions, change } } };
    };
    const one = await session('A');
    const elsewhere = () => changeOrder(context, account, one.id, { order: { shipping: '1.00' } }, silentAudit);
    const changed = await changeOrder(racing(elsewhere), account, one.id, { order: { amount: '12.00' } }, silentAudit);
    expect(changed).toMatchObject({ revision: 3, terms: { order: { amount: '12.00', shipping: '1.00' } } });
    const two = await session('B');
    const late = changeOrder(
      racing(() => pay(two)),
      account,
      two.id,
      { order: { amount: '12.00' } },
      silentAudit,
    );
    await expect(late).rejects.toMatchObject({ code: 'attempt_in_flight' });
    expect(await stored(two.id)).toMatchObject({ revision: 1, terms: { order: { amount: '10.00' } } });
  });

  it('leaves what the gateway was sent before as it was', async () => {
    const { session, change, pay, truth } = await setUp();
    const open = await session('A');
    await pay(open, declinedOf('T1'));
    await change(open, { amount: '20.00' });
    expect(await truth(open)).toMatchObject({ amount: '20.00', revision: 2, attempts: [{ amount: '10.00' }] });
    await pay(open, approvedBy('T2'));
    expect(await truth(open)).toMatchObject({
      status: 'approved',
      amount: '20.00',
      attempts: [{}, { amount: '20.00' }],
    });
  });

  it('keeps the notice of the previous attempt', async () => {
    const { context, session, change, pay, orderOf } = await setUp();
    const open = await session('A');
    await pay(open, declinedOf('T1'));
    await change(open, { amount: '20.00' });
    const told = { notice: 'declined', advice: 'contact_bank', last_method: 'card', revision: 2, amount: '20.00' };
    expect(publicView(context, await orderOf(open), open.id)).toMatchObject(told);
  });

  it('yields to a late payment, with the amount of that attempt', async () => {
    const { context, books, session, change, abandon, reconcile, truth, orderOf, webhooks } = await setUp();
    const open = await session('A');
    await abandon(open);
    await change(open, { amount: '20.00' });
    books.records = [record('A', 'T1', '3000')];
    await reconcile(open);
    expect(await truth(open)).toMatchObject({
      status: 'approved',
      amount: '10.00',
      transaction_id: 'T1',
      revision: 1,
      order_changed: true,
    });
    const view = checkoutView(context, await orderOf(open), open.id);
    expect(view).toMatchObject({ status: 'approved', amount: '10.00' });
    expect((await webhooks(open)).findLast(({ type }) => type.startsWith('session.'))).toMatchObject({
      type: 'session.approved',
      data: { amount: '10.00', revision: 1, order_changed: true },
    });
  });

  const items = [{ name: 'Book', code: 'b1', price: '10.00', quantity: 1 }];
  const others = [{ name: 'Pen', code: 'p1', price: '5.00', quantity: 2 }];

  it.each<[string, object[], { order_changed: true } | undefined]>([
    ['a change of its items', [{ items: others }], { order_changed: true }],
    ['a change back and another one', [{ items: others }, { items }, { note: 'n' }], { order_changed: true }],
    ['a change back', [{ items: others, amount: '20.00' }, { items }, { amount: '10.00' }], undefined],
    ['a change of its installments', [{}], undefined],
  ])('says whether it differs after %s', async (_, changes, told) => {
    const { books, session, change, abandon, reconcile, truth, webhooks } = await setUp();
    const order = { order_no: 'A', currency: 'BRL', amount: '10.00', items };
    const open = await session('A', { order, installment_options: options });
    await abandon(open);
    for (const next of changes) await change(open, { ...next }, { installment_options: [] });
    books.records = [record('A', 'T1', '3000')];
    await reconcile(open);
    const [answer, webhook] = [
      await truth(open),
      (await webhooks(open)).findLast(({ type }) => type.startsWith('session.'))?.data,
    ];
    for (const each of [answer, webhook]) {
      expect(each).toMatchObject({ status: 'approved', amount: '10.00', revision: 1, ...told });
      if (!told) expect(each).not.toHaveProperty('order_changed');
    }
  });

  it('is compared with the revision that was paid, not with the first', async () => {
    const { books, session, change, abandon, reconcile, truth } = await setUp();
    const open = await session('A');
    await abandon(open);
    await change(open, { items: others });
    await abandon(open);
    await change(open, { items: null });
    // Of two attempts that no session waits for, a record of no date is credited to the latest.
    books.records = [record('A', 'T1', '3000')];
    await reconcile(open);
    expect(await truth(open)).toMatchObject({ status: 'approved', revision: 2, order_changed: true });
  });

  it('is held by a payment of an amount that no attempt has', async () => {
    const { books, session, change, abandon, reconcile, truth } = await setUp();
    const open = await session('A');
    await abandon(open);
    await change(open, { amount: '20.00' });
    books.records = [record('A', 'T1', '3000', { amount: '20.00' })];
    await reconcile(open);
    expect(await truth(open)).toMatchObject({
      status: 'unknown',
      unknown: { reason: 'amount_differs', needs_attention: true },
    });
  });

  it('is paid by the attempt before the change', async () => {
    const { books, session, change, abandon, pay, poll, pass, truth, webhooks } = await setUp();
    const open = await session('A');
    await abandon(open);
    await change(open, { amount: '20.00' });
    await pay(open, lost);
    books.records = [record('A', 'T1', '3000')];
    pass(MINUTE);
    await poll();
    expect(await truth(open)).toMatchObject({
      status: 'approved',
      amount: '10.00',
      transaction_id: 'T1',
      attempts: [{ status: 'approved' }, { status: 'unknown', amount: '20.00' }],
    });
    expect((await webhooks(open)).findLast(({ type }) => type.startsWith('session.'))).toMatchObject({
      type: 'session.approved',
      data: { amount: '10.00' },
    });
    await expect(pay(open)).rejects.toThrow();
  });

  it('is not paid again while an attempt of any amount is undecided', async () => {
    const paying = async () => {
      const relay = await setUp();
      const open = await relay.session('A');
      await relay.abandon(open);
      await relay.change(open, { amount: '20.00' });
      return { ...relay, open };
    };
    for (const amount of ['10.00', '20.00', '40.00']) {
      const { context, books, abandon, orderOf, open } = await paying();
      await abandon(open);
      books.records = [record('A', 'T1', '77', { amount })];
      const again = queryBeforePaying(context, await orderOf(open), open.id);
      await expect(again, amount).rejects.toMatchObject({ code: 'order_in_progress' });
    }
    const { context, books, pass, orderOf, open, truth } = await paying();
    const again = async () => {
      pass(MINUTE);
      return queryBeforePaying(context, await orderOf(open), open.id);
    };
    await again();
    books.change = { return_status: '0' };
    await expect(again()).rejects.toMatchObject({ code: 'gateway_unreachable' });
    books.change = {};
    books.records = [record('A', 'T1', '3000')];
    await expect(again()).rejects.toMatchObject({ code: 'order_already_paid' });
    expect(await truth(open)).toMatchObject({ status: 'approved', amount: '10.00', transaction_id: 'T1' });
  });

  it('is found to be paid twice where both amounts were paid', async () => {
    const { books, session, change, abandon, pay, reconcile, truth } = await setUp();
    const open = await session('A');
    await abandon(open);
    await change(open, { amount: '20.00' });
    await pay(open, approvedBy('T2'));
    books.records = [record('A', 'T1', '3000'), record('A', 'T2', '3000', { amount: '20.00' })];
    await reconcile(open);
    expect(await truth(open)).toMatchObject({ amount: '20.00', transaction_id: 'T2', paid_twice: ['T2', 'T1'] });
  });
});

describe('what a shopper filled in', () => {
  it('gives way to what the shop changes afterwards', async () => {
    const { context, session, change, orderOf } = await setUp();
    const open = await session('A', { collect: ['email', 'phone'] });
    const filled = { first_name: 'Ada', shopper_email: 'old@example.com', shopper_phone: '1' };
    await context.store.sessions.change({ ...open, version: 2, terms: { ...open.terms, filled } });
    await change(open, { shopper_email: 'new@example.com', amount: '20.00' });
    const { prefill } = checkoutView(context, await orderOf(open), open.id);
    expect(prefill).toEqual({ first_name: 'Ada', shopper_email: 'new@example.com', shopper_phone: '1' });
  });
});
