import type { AuditItem } from '../../../shared/api/audit.ts';
import type { Context } from '../../context/context.ts';
import type { StoredOrder } from '../../payments/order.ts';
import type { OrderWrite } from '../../store/facets/orders.ts';
import type { StoredAuditEntry } from '../../store/facets/people.ts';
import { keepReply, type Reply, type Use } from './idempotency.ts';

/** An order after a request, with the reply to it, and the payments that the audit log names. */
export type ChangedOrder = { order: StoredOrder; reply: Reply; items?: readonly AuditItem[] };

/** Returns the rows to write with a changed order: the reply under the request's key, and the entry of the audit log. */
export type WithReply = (changed: ChangedOrder) => Pick<OrderWrite, 'answered' | 'audit'>;

/**
 * Changes an order by `change`, and writes the reply and the entry of the audit log with it. If nothing changes, there is no entry.
 * @param change passes each order that it tries to write to `more`, and returns the last one
 */
export async function changedOrder(
  context: Context,
  use: Use,
  about: Pick<StoredAuditEntry, 'action' | 'subject' | 'decision'>,
  change: (more: WithReply) => Promise<ChangedOrder>,
): Promise<Reply> {
  let last: ChangedOrder | undefined;
  const { order, reply } = await change((changed) => {
    last = changed;
    const { order, items } = changed;
    const audit = use.audit.entry({ ...about, orders: [order.order_no], ...(items ? { items } : {}) });
    return { answered: use.answered(changed.reply), audit };
  });
  if (last?.order === order) use.audit.written();
  else await keepReply(context, use, reply);
  return reply;
}
