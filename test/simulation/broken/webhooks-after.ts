import { writtenOrder } from '../../../relay/store/order-changes.ts';
import type { OrderWrite, Store } from '../../../relay/store/store.ts';
import * as right from '../../../relay/webhooks/commit.ts';

export * from '../../../relay/webhooks/commit.ts';

/** Wrong: the webhooks of a change are written after it. A relay that dies between the two notifies nobody. */
export const commitOrder: typeof right.commitOrder = (context, ...decided) => {
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
