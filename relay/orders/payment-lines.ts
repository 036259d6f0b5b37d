import type { ListedPayment } from '../../shared/api/order-payment.ts';

/** A column of payments as CSV. */
type Column = readonly [name: string, cell: (payment: ListedPayment) => string | undefined];

const own = [
  ...(['transaction_id', 'order_no', 'status', 'amount', 'currency', 'paid_at', 'method', 'card'] as const),
  ...(['captured', 'capturable', 'refunded', 'refund_undecided', 'refundable', 'recurring_id', 'reversed_at'] as const),
] as const;

const columns: readonly Column[] = [
  ...own.map((name): Column => [name, (payment) => payment[name]]),
  ['payment_status', ({ gateway }) => gateway?.payment_status],
  ['decline_reason', ({ gateway }) => gateway?.decline_reason],
  ['settled_as', ({ settled }) => settled?.outcome],
  ['settled_by', ({ settled }) => settled?.by],
  ['settled_at', ({ settled }) => settled?.at],
  ['settled_note', ({ settled }) => settled?.note],
  ['note', ({ note }) => note?.note],
];

export const paymentColumns: readonly string[] = columns.map(([name]) => name);

/** A payment as a line of CSV. */
export function paymentCells(payment: ListedPayment): string[] {
  return columns.map(([, cell]) => cell(payment) ?? '');
}
