import { writtenOrder } from '../../../../relay/store/order-changes.ts';
import type { OrderWrite, Store } from '../../../../relay/store/store.ts';
import * as right from '../../../../relay/webhooks/commit.ts';

export * from '../../../../relay/webhooks/commit.ts';

type Commit = typeof right.commitOrder;

/** Wrong: a try of which nothing was sent still counts against the limits. */
const unsent: Commit = (context, before, decision, { uncounted: _, ...more } = {}) =>
  right.commitOrder(context, before, decision, more);

/** Wrong: the webhooks of a change are written after it. A relay that dies between the two notifies nobody. */
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

/** One of the two, by the query of this file's address. */
export const commitOrder: Commit = new URL(import.meta.url).search === '?unsent' ? unsent : webhooks;
