import type { Context } from '../../../../relay/store/context.ts';
import { writtenOrder } from '../../../../relay/store/order-changes.ts';
import type { Answered, OrderWrite, Store } from '../../../../relay/store/store.ts';
import * as right from '../../../../relay/webhooks/commit.ts';

export * from '../../../../relay/webhooks/commit.ts';

type Commit = typeof right.commitOrder;

/** Wrong: a try of which nothing was sent still counts against the limits. */
const unsent: Commit = (context, before, decision, { uncounted: _, ...more } = {}) =>
  right.commitOrder(context, before, decision, more);

/** Wrong: the webhooks of a change are written after it. A relay that dies between the two sends no webhook. */
const webhooks: Commit = (context, ...decided) => {
  const writeOrder = async (write: OrderWrite) => {
    const written = await context.store.writeOrder({ ...write, events: [] });
    if (written.kind !== 'written' || write.events.length === 0) return written;
    const order = writtenOrder(write.before, write.after);
    await context.store.writeOrder({ before: order, after: order, events: write.events });
    return written;
  };
  const store: Store = Object.assign(Object.create(context.store), { writeOrder });
  return right.commitOrder({ ...context, store }, ...decided);
};

/** Wrong: a person's word makes an order paid by a transaction of another one. */
const taken = (context: Context): Context => {
  const writeOrder = async (write: OrderWrite) => {
    const written = await context.store.writeOrder(write);
    if (written.kind !== 'transaction_known') return written;
    const payments = write.after.payments.map((one) => ({ ...one, also_paid: written.order_no }));
    return context.store.writeOrder({ ...write, after: { ...write.after, payments } });
  };
  const store: Store = Object.assign(Object.create(context.store), { writeOrder });
  return { ...context, store };
};

/** Wrong: the answer of a decision is kept after it. A relay that dies between the two answers something else when it is asked again. */
const keptAfter: typeof right.updateOrder = async (context, key, decide, more = {}, known) => {
  let kept: Answered | undefined;
  const beside: Extract<typeof more, (...order: never[]) => unknown> = (written) => {
    const { answered, ...rest } = typeof more === 'function' ? more(written) : more;
    kept = answered;
    return rest;
  };
  const order = await right.updateOrder(context, key, decide, beside, known);
  if (kept) await context.store.answerKey(kept);
  return order;
};

const commitFirst: typeof right.commitOperation = async (context, { answered, ...finish }) => {
  const isWritten = await right.commitOperation(context, finish);
  if (isWritten && answered) await context.store.answerKey(answered);
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
