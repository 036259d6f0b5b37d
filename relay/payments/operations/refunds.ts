import { inCurrency, toMinor } from '../../../shared/gateway/amounts.ts';
import { type RefundItem, refundBody } from '../../../shared/gateway/refund.ts';
import type { Message } from '../../../shared/gateway/signature.ts';
import type { Operation } from './operation.ts';
import type { Reservation } from './refund-rule.ts';

/** The refunds of a refund's message. */
export function refundItems(message: Message): RefundItem[] {
  const parsed = refundBody.safeParse(message);
  return parsed.success ? parsed.data.refund_orders : [];
}

/** What each refund takes of its payment. `refunded` is what was refunded before of the payment of a single one, if that is told. */
export function reservationsOf(items: readonly RefundItem[], refunded?: string): Reservation[] {
  const before = items.length === 1 ? refunded : undefined;
  return items.map(({ transaction_id, currency, refund_amount, amount }) => ({
    transaction_id,
    currency,
    amount: toMinor(refund_amount, currency),
    original: toMinor(amount, currency),
    ...(before === undefined ? {} : { refunded: inCurrency(before, currency) ? toMinor(before, currency) : -1n }),
  }));
}

/**
 * Whether each refund of an operation still counts as refunded: all but those that certainly did not happen. Empty where
 * nothing changes.
 */
export function countedRefunds({ name, request, state }: Operation): boolean[] {
  if (name !== 'refund') return [];
  switch (state.status) {
    case 'answered':
      return state.items.map((item) => item !== 'failed');
    case 'settled':
      return state.settlement.items.map((item) => item !== 'failed');
    case 'refused':
      if (state.reserved) return [];
      return Array.isArray(request.refund_orders) ? request.refund_orders.map(() => false) : [];
    case 'not_sent':
      return Array.isArray(request.refund_orders) ? request.refund_orders.map(() => false) : [];
    case 'in_flight':
    case 'unknown':
      return [];
  }
}
