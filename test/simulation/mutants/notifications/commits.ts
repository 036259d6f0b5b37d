import * as right from '../../../../relay/commit/commit.ts';
import type { Context } from '../../../../relay/context/context.ts';
import type { Answered } from '../../../../relay/store/facets/keys.ts';
import type { OrderWrite } from '../../../../relay/store/facets/orders.ts';
import { writtenOrder } from '../../../../relay/store/order-changes.ts';
import type { Store } from '../../../../relay/store/store.ts';

export * from '../../../../relay/commit/commit.ts';

type Commit = typeof right.commitOrder;

/** Wrong: an attempt that was never sent counts against the limits. */
const unsent: Commit = (context, before, decision, { uncounted: _, ...more } = {}) =>
  right.commitOrder(context, before, decision, more);

/** Wrong: the webhooks of a change are written after it. A relay that dies between the two sends no webhook. */
const webhooks: Commit = (context, ...decided) => {
  const write = async (one: OrderWrite) => {
    const written = await context.store.orders.write({ ...one, events: [] });
    if (written.kind !== 'written' || one.events.length === 0) return written;
    const order = writtenOrder(one.before, one.after);
    await context.store.orders.write({ before: order, after: order, events: one.events });
    return written;
  };
  const store: Store = { ...context.store, orders: { ...context.store.orders, write } };
  return right.commitOrder({ ...context, store }, ...decided);
};

/** Wrong: a person can settle an order with a transaction of another order. */
const taken = (context: Context): Context => {
  const write = async (one: OrderWrite) => {
    const written = await context.store.orders.write(one);
    if (written.kind !== 'transaction_known') return written;
    const payments = one.after.payments.map((one) => ({ ...one, also_paid: written.order_no }));
    return context.store.orders.write({ ...one, after: { ...one.after, payments } });
  };
  const store: Store = { ...context.store, orders: { ...context.store.orders, write } };
  return { ...context, store };
};

/** Wrong: the answer of a decision is kept after it. If the relay dies between the two, a repetition gets another answer. */
const keptAfter: typeof right.updateOrder = async (context, key, decide, more = {}, known) => {
  let kept: Answered | undefined;
  const beside: Extract<typeof more, (...order: never[]) => unknown> = (written) => {
    const { answered, ...rest } = typeof more === 'function' ? more(written) : more;
    kept = answered;
    return rest;
  };
  const order = await right.updateOrder(context, key, decide, beside, known);
  if (kept) await context.store.keys.answer(kept);
  return order;
};

const commitFirst: typeof right.commitOperation = async (context, before, { answered, ...finish }) => {
  const isWritten = await right.commitOperation(context, before, finish);
  if (isWritten && answered) await context.store.keys.answer(answered);
  return isWritten;
};

const { search } = new URL(import.meta.url);

/** One of these, by the query of this file's address. */
export const commitOrder: Commit =
  search === '?unsent' ? unsent : search === '?webhooks' ? webhooks : right.commitOrder;
export const updateOrder: typeof right.updateOrder =
  search === '?taken'
    ? (context, ...more) => right.updateOrder(taken(context), ...more)
    : search === '?sessions-first'
      ? keptAfter
      : right.updateOrder;
export const commitOperation: typeof right.commitOperation =
  search === '?operations-first' ? commitFirst : right.commitOperation;
