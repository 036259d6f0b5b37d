import type { OrderSummary } from '../../shared/api/order.ts';
import type { SessionStatus } from '../../shared/checkout/status.ts';

/** How an order stands, in one word. */
export type OrderState = 'paid' | Exclude<SessionStatus, 'approved'>;

/** An order that was paid is paid, however its last session stands. */
export function orderState({ status, session_status }: Pick<OrderSummary, 'status' | 'session_status'>): OrderState {
  if (status === 'paid' || session_status === 'approved') return 'paid';
  return session_status;
}
