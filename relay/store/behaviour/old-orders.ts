import { expect } from 'vitest';
import type { Order, Rules } from '../../payments/order.ts';
import { settleOrder } from '../../payments/settlement/settle-order.ts';
import type { Store } from '../store.ts';
import { at, attempt, operation, refund, session } from './fixtures.ts';

/** A row of `sessions`, of its one attempt and of its order, as the relay wrote them before it kept orders as a whole. */
export type OldRows = {
  session: { [column: string]: string | number | null };
  attempt: { [column: string]: string | null };
  order: { account: string; order_no: string; hold: string };
};

const search = { reason: 'timeout', since: at(3), looks: 2, absent_looks: 1, needs_attention: false };

/** One order of every kind that may wait for something; its session, attempt and order_no are named after it. */
export const oldRows: readonly OldRows[] = [
  rows('redirected', 'held', {
    state: { status: 'redirected', attempt_id: 'at_redirected', next_look_at: at(20) },
    attempt: { status: 'redirected', issuer_url: 'https://issuer.example/' },
    next_look_at: at(20),
  }),
  rows('unknown', 'held', {
    state: { status: 'unknown', attempt_id: 'at_unknown', search: { ...search, next_look_at: at(21) } },
    attempt: { status: 'unknown', reason: 'timeout', evidence: {} },
    next_look_at: at(21),
  }),
  rows('watched', 'free', {
    state: { status: 'open', notice: 'not_paid' },
    attempt: { status: 'not_paid' },
    settled_at: at(10),
    next_look_at: at(22),
    watch: { since: at(10), next_look_at: at(22), looks: 3 },
  }),
  rows('notified', 'free', {
    state: { status: 'open', notice: 'not_paid' },
    attempt: { status: 'not_paid' },
    settled_at: at(10),
    next_look_at: at(9000),
    watch: { since: at(10), next_look_at: at(9000), looks: 9 },
    notified_at: at(23),
  }),
  rows('paid', 'paid', {
    state: { status: 'approved', attempt_id: 'at_paid', transaction_id: 'T' },
    attempt: { status: 'approved' },
    settled_at: at(10),
    transaction_id: 'T',
  }),
];

function rows(
  id: string,
  hold: string,
  given: {
    state: { status: string; [field: string]: unknown };
    attempt: object;
    settled_at?: string;
    transaction_id?: string;
    next_look_at?: string;
    notified_at?: string;
    watch?: object;
  },
): OldRows {
  const one = session(id, id);
  const { account, order_no, version, revision, created_at, expires_at, terms } = one;
  const { settled_at, transaction_id } = given;
  const settled = { ...(settled_at ? { settled_at } : {}), ...(transaction_id ? { transaction_id } : {}) };
  const data = { ...attempt(`at_${id}`, one), ...settled, state: given.attempt };
  return {
    session: {
      ...{ id, account, order_no, status: given.state.status, version, revision, created_at, expires_at },
      next_look_at: given.next_look_at ?? null,
      notified_at: given.notified_at ?? null,
      watch: given.watch ? JSON.stringify(given.watch) : null,
      unknown_since: given.state.status === 'unknown' ? search.since : null,
      terms: JSON.stringify(terms),
      state: JSON.stringify(given.state),
    },
    attempt: {
      ...{ id: data.id, session_id: id, account, order_no, started_at: data.started_at },
      paid_transaction_id: transaction_id ?? null,
      data: JSON.stringify(data),
    },
    order: { account, order_no, hold },
  };
}

const rules: Rules = {
  codes: { approved: ['3000'], declined: ['4100'], pending: [] },
  timeZone: 'UTC',
  attemptsPerSession: 5,
  orphanedMs: 35_000,
  resolve: { first_ms: 1000, max_ms: 60_000, absent_ms: 900_000, give_up_ms: 86_400_000 },
};

/** Checks that a store which held the old rows goes on with them. */
export async function goesOnWithOldOrders(store: Store): Promise<void> {
  const orders = new Map<string, Order>();
  for (const { order } of oldRows) orders.set(order.order_no, await store.order('demo', order.order_no));
  const known = (name: string): Order => {
    const order = orders.get(name);
    if (!order) throw new Error(`no order ${name}`);
    return order;
  };
  expect(known('redirected')).toMatchObject({ version: 1, hold: 'held', payments: [], decided: [], notices: 0 });
  expect(known('redirected')).toMatchObject({ next_query_at: at(20), queries: { failures: 0 }, noticed: 0 });
  expect(known('unknown')).toMatchObject({ hold: 'held', next_query_at: at(21) });
  expect(known('watched')).toMatchObject({ hold: 'free', next_query_at: at(22) });
  expect(known('notified')).toMatchObject({ hold: 'free', next_query_at: at(23), notices: 1 });
  expect(known('paid')).toMatchObject({
    hold: 'paid',
    payments: [{ transaction_id: 'T', amount: '10.00', currency: 'BRL', attempt_id: 'at_paid', date: at(10) }],
  });
  expect(known('paid').next_query_at).toBeUndefined();

  const due = await store.leaseDueOrders({ now: at(30), until: at(60), limit: 9 }, ['demo'], at(0));
  expect(due.map(({ order_no }) => order_no)).toEqual(['redirected', 'unknown', 'watched', 'notified']);
  const exceeds = { kind: 'refund_exceeds_payment', left: 1000n };
  expect(await store.beginOperation(operation('op_1'), [refund(1001n, 9000n)])).toMatchObject(exceeds);

  for (const [name, before] of orders) {
    const record = {
      order_no: name,
      transaction_id: `T_${name}`,
      payment_status: '3000',
      amount: '10.00',
      currency: 'BRL',
    };
    const query = { begun_at: new Date(at(30)), notices: before.notices, counted: true, records: [record] } as const;
    const { order } = settleOrder(before, query, new Date(at(31)), rules);
    expect(order.hold).toBe('paid');
    const written = await store.writeOrder({ before, after: order, events: [], release: true });
    expect(written).toEqual({ kind: 'written' });
    expect(await store.session(name)).toMatchObject({ state: { status: 'approved' } });
  }
}
