import { z } from 'zod';
import { type RefundItem, wholeRefund } from '../../../shared/gateway/refund.ts';
import type { Message } from '../../../shared/gateway/signature.ts';
import { itemsOf, type StoredOperation } from './operation.ts';

const refunds = z.object({ refund_orders: z.array(wholeRefund) });

/** The refunds of a refund's message. */
export function refundItems(message: Message): RefundItem[] {
  const parsed = refunds.safeParse(message);
  return parsed.success ? parsed.data.refund_orders : [];
}

/**
 * The refunds of one payment in a refund's message, with their positions. Only these are parsed: a batch has up to 500 refunds, and a list
 * of orders reads the batches of each of its payments.
 */
export function refundItemsOf(message: Message, transactionId: string): { at: number; item: RefundItem }[] {
  return itemsOf({ name: 'refund', request: message }).flatMap((item, at) => {
    if (item.transaction_id !== transactionId) return [];
    const parsed = wholeRefund.safeParse(item);
    return parsed.success ? [{ at, item: parsed.data }] : [];
  });
}

/** Whether each refund of an operation still counts as refunded: all except those that failed. Empty if nothing changes. */
export function countedRefunds({ name, request, state }: StoredOperation): boolean[] {
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
