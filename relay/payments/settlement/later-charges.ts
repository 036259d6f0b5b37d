import type { OrderRecord } from '../../../shared/gateway/query.ts';
import { type Decision, withOrder } from '../transitions.ts';
import { approvalOf } from './approval.ts';
import type { BookRecord } from './records.ts';

/**
 * Tells the shop of each later charge of the order's contract once.
 * @param raw the records as the gateway wrote them
 * @param told the transaction_ids whose records the shop is sent with a notification
 */
export function tellCharges(
  decision: Decision,
  records: readonly BookRecord[],
  raw: readonly OrderRecord[],
  told: ReadonlySet<string>,
): Decision {
  const { order } = decision;
  const known = order.charges ?? [];
  const found = records.flatMap((record) => {
    const { meaning, transaction_id } = record;
    const isNew = meaning === 'approved' && transaction_id !== undefined && !known.includes(transaction_id);
    return isNew && approvalOf(order, record).kind === 'later_charge' ? [transaction_id] : [];
  });
  const session_id = sessionIdOf(decision);
  if (found.length === 0 || session_id === undefined) return decision;
  const charged = withOrder(decision, { charges: [...known, ...found] });
  const untold = found.filter((id) => !told.has(id));
  const latest = untold.flatMap((id) => raw.filter(({ transaction_id }) => transaction_id === id).slice(-1));
  const events = latest.map((charge) => ({ type: 'notification.received', session_id, charge }) as const);
  return { ...charged, events: [...charged.events, ...events] };
}

/** The session that began the contract, else the latest. */
function sessionIdOf({ order: { sessions, attempts, payments } }: Decision): string | undefined {
  const first = payments.find(({ recurring_id }) => recurring_id !== undefined);
  const attempt = attempts.find(({ id }) => id === first?.attempt_id);
  return (sessions.find(({ id }) => id === attempt?.session_id) ?? sessions.at(-1))?.id;
}
