import type { ListedPayment } from '../../shared/api/order-payment.ts';
import type { CsvColumns } from '../http/csv.ts';

const own = [
  ...(['transaction_id', 'order_no', 'status', 'amount', 'currency', 'paid_at', 'method', 'card'] as const),
  ...(['captured', 'capturable', 'refunded', 'refund_undecided', 'refundable', 'recurring_id', 'reversed_at'] as const),
] as const;

/** Payments as CSV. */
export const paymentColumns: CsvColumns<ListedPayment> = [
  ...own.map((name) => [name, (payment: ListedPayment) => payment[name]] as const),
  ['payment_status', ({ gateway }) => gateway?.payment_status],
  ['decline_reason', ({ gateway }) => gateway?.decline_reason],
  ['settled_as', ({ settled }) => settled?.outcome],
  ['settled_by', ({ settled }) => settled?.by],
  ['settled_at', ({ settled }) => settled?.at],
  ['settled_note', ({ settled }) => settled?.note],
  ['note', ({ note }) => note?.note],
];
