import { expect } from 'vitest';
import type { Order, Rules } from '../../payments/order.ts';
import { settleOrder } from '../../payments/settlement/settle-order.ts';
import type { Store } from '../store.ts';
import { at, notification, operation, refund, session } from './fixtures.ts';
import { recently } from './old-rows.ts';

const rules: Rules = {
  codes: { approved: ['3000'], declined: ['4100'], pending: [] },
  timeZone: 'UTC',
  attemptsPerSession: 5,
  orphanedMs: 35_000,
  resolve: { first_ms: 1000, max_ms: 60_000, absent_ms: 900_000, give_up_ms: 86_400_000 },
};

/** Checks that a store which held `oldRows` goes on with them. */
export async function goesOnWithOldOrders(store: Store): Promise<void> {
  await knowsWhatWasOpen(store);
  await knowsWhatWasPaid(store);
  await asksAboutWhatWasOpen(store);
  await settlesWhatIsProved(store);
}

async function knowsWhatWasOpen(store: Store): Promise<void> {
  const order = (name: string): Promise<Order> => store.order('demo', name);
  const held = { version: 1, hold: 'held', payments: [], decided: [], queries: { failures: 0 }, noticed: 0 };
  const free = { ...held, hold: 'free' };
  expect(await order('redirected')).toMatchObject({ ...held, next_query_at: at(20), notices: 0 });
  expect(await order('unknown')).toMatchObject({
    ...{ ...held, next_query_at: at(21) },
    attempts: [{ state: { status: 'unknown', reason: 'timeout', since: at(3), evidence: { http_status: 502 } } }],
  });
  expect(await order('watched')).toMatchObject({ ...free, next_query_at: at(22) });
  expect(await order('notified')).toMatchObject({ ...free, next_query_at: at(23), notices: 1 });
  expect(await order('needy')).toMatchObject({
    ...{ ...held, next_query_at: at(24) },
    attempts: [{ state: { reason: 'codes_not_listed', since: at(3), evidence: { body: '\0 \\u0000 \ud83d' } } }],
    sessions: [{ state: { search: { reason: 'codes_not_listed', needs_attention: true } } }],
  });
  expect(await order('processing')).toMatchObject({ ...held, next_query_at: at(25) });
  expect(await order('two')).toMatchObject({ ...held, next_query_at: at(26), notices: 2 });
  for (const name of ['refused', 'declined']) {
    const { next_query_at = '', ...known } = await order(name);
    expect(known).toMatchObject(free);
    // Within two days, spread as the attempts were.
    expect(next_query_at.slice(10)).toBe(recently.slice(10));
    expect(Date.parse(next_query_at) - Date.parse(recently)).toBeOneOf([86_400_000, 2 * 86_400_000, 3 * 86_400_000]);
  }
  expect(await order('over')).toMatchObject(free);
  expect((await order('over')).next_query_at).toBeUndefined();
  expect(await order('left')).toMatchObject(free);
  await store.addNotification(notification('left', 27));
  expect(await order('left')).toMatchObject({ version: 2, next_query_at: at(27), notices: 1 });
}

async function knowsWhatWasPaid(store: Store): Promise<void> {
  const paidBy = async (name: string): Promise<Order['payments']> => {
    const order = await store.order('demo', name);
    expect(order).toMatchObject({ version: 1, hold: 'paid' });
    expect(order.next_query_at).toBeUndefined();
    return order.payments;
  };
  const paid = { transaction_id: 'T', amount: '10.00', currency: 'BRL', proof: 'record', date: at(0) };
  expect(await paidBy('paid')).toEqual([{ ...paid, attempt_id: 'at_paid' }]);
  expect(await paidBy('recurring')).toMatchObject([{ transaction_id: 'T_r', recurring_id: 'R1' }]);
  expect(await paidBy('told_recurring')).toMatchObject([{ transaction_id: 'T_t', recurring_id: 'R2' }]);
  expect(await paidBy('twice')).toEqual([
    { ...paid, transaction_id: 'T_1', attempt_id: 'at_twice' },
    { ...paid, transaction_id: 'T_2', attempt_id: 'at_twice_b' },
    { ...paid, transaction_id: 'T_3' },
  ]);
  expect((await store.order('demo', 'paid')).wasPaid).toBeUndefined();
  for (const name of ['nameless', 'purged']) {
    expect(await paidBy(name)).toEqual([]);
    const before = await store.order('demo', name);
    await store.writeOrder({ before, after: { ...before, next_query_at: at(9999) }, events: [] });
    expect(await store.order('demo', name)).toMatchObject({ wasPaid: true, hold: 'paid', version: 2 });
    expect(await store.createSession(session('again', name))).toEqual({ kind: 'order_already_paid' });
  }
  for (const [id, left] of [
    ['T', 1000n],
    ['T_3', 1000n],
    ['T_same', 500n],
  ] as const) {
    const more = [refund(left + 1n, 9000n, 'BRL', id)];
    const exceeds = { kind: 'refund_exceeds_payment', left };
    expect(await store.beginOperation(operation(`op_${id}`), more)).toMatchObject(exceeds);
  }
}

async function asksAboutWhatWasOpen(store: Store): Promise<void> {
  const due = await store.leaseDueOrders({ now: at(30), until: at(60), limit: 20 }, ['demo'], at(0));
  const open = ['redirected', 'unknown', 'watched', 'notified', 'needy', 'processing', 'two', 'left'];
  expect(due.map(({ order_no }) => order_no)).toEqual(open);
  expect(await store.figures(at(30), ['demo'])).toMatchObject({ unknown_sessions: 2, needs_attention: 1 });
}

/** A payment that a record proves, of an order in any state; of a contract of before, a renewal. */
async function settlesWhatIsProved(store: Store): Promise<void> {
  const settled = async (name: string, more: object): Promise<Order> => {
    const before = await store.order('demo', name);
    const sum = { amount: '10.00', currency: 'BRL' };
    const record = { order_no: name, transaction_id: `T_${name}`, payment_status: '3000', ...sum, ...more };
    const query = { begun_at: new Date(at(30)), notices: before.notices, counted: true, records: [record] } as const;
    const { order } = settleOrder(before, query, new Date(at(31)), rules);
    const written = await store.writeOrder({ before, after: order, events: [], release: true });
    expect(written).toEqual({ kind: 'written' });
    return store.order('demo', name);
  };
  const unpaid = ['redirected', 'unknown', 'watched', 'notified', 'needy', 'processing', 'refused', 'declined'];
  for (const name of [...unpaid, 'over', 'left']) {
    expect(await settled(name, {})).toMatchObject({ hold: 'paid', payments: [{ transaction_id: `T_${name}` }] });
    expect(await store.session(name)).toMatchObject({ state: { status: 'approved' } });
  }
  const nextDay = { transaction_date: '20260102000001' };
  for (const [name, recurring_id] of [
    ['recurring', 'R1'],
    ['told_recurring', 'R2'],
  ] as const) {
    const renewed = await settled(name, { ...nextDay, subscription_result: { recurring_id } });
    expect(renewed.payments).toHaveLength(1);
  }
}
