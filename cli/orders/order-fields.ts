import type { OrderWithTimeline, TimelineEntry } from '../../client/index.ts';

/** An order as fields for people: its money first, then its timeline, a line each. */
export function orderFields(order: OrderWithTimeline): Record<string, string | undefined> {
  const { order_no, status, amount, currency, captured, refunded, refundable, payments, timeline } = order;
  return {
    order: order_no,
    status: order.needs_attention ? `${status}, needs attention` : status,
    amount: `${amount} ${currency}`,
    captured: `${captured} ${currency}`,
    refunded: `${refunded} ${currency}`,
    refundable: `${refundable} ${currency}`,
    created: order.created_at,
    ...Object.fromEntries(
      payments.map(({ transaction_id, amount: paid, currency: of, proof }, at) => [
        `payment ${at + 1}`,
        `${transaction_id}, ${paid} ${of}, known by ${proof}`,
      ]),
    ),
    ...Object.fromEntries(timeline.map((entry, at) => [`${at + 1}`.padStart(3), `${entry.at}  ${lineOf(entry)}`])),
    more: order.truncated ? 'the timeline is longer: ask with --json' : undefined,
  };
}

/** What happened, in one line. */
function lineOf(entry: TimelineEntry): string {
  switch (entry.type) {
    case 'session':
      return `session ${entry.session_id} opened`;
    case 'attempt':
      return `attempt ${entry.attempt.id}: ${entry.attempt.status}`;
    case 'settled':
      return `settled by ${entry.by}${entry.outcome ? ` as ${entry.outcome}` : ''}: ${entry.note}`;
    case 'query':
      return `gateway queried${entry.fault ? `, failed: ${entry.fault}` : ''}`;
    case 'next_query':
      return 'the gateway is queried again';
    case 'notification':
      return `notification${entry.verified ? '' : ', not signed'}${entry.times > 1 ? `, ${entry.times} times` : ''}`;
    case 'webhook':
      return `webhook ${entry.event} ${entry.id}: ${entry.delivery.status}`;
    case 'operation':
      return `${entry.operation} ${entry.id}${entry.by ? ` by ${entry.by}` : ''}: ${entry.status}${outcomes(entry.items)}`;
  }
}

function outcomes(items: readonly { outcome?: string | undefined }[]): string {
  const known = items.flatMap(({ outcome }) => outcome ?? []);
  return known.length > 0 ? ` (${known.join(', ')})` : '';
}
