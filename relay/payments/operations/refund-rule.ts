import { z } from 'zod';
import { type RefundItem, wholeRefund } from '../../../shared/gateway/refund.ts';
import type { Message } from '../../../shared/gateway/signature.ts';
import type { StoredOperation } from './operation.ts';

const refunds = z.object({ refund_orders: z.array(wholeRefund) });

/** The refunds of a refund's message. */
export function refundItems(message: Message): RefundItem[] {
  const parsed = refunds.safeParse(message);
  return parsed.success ? parsed.data.refund_orders : [];
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

/** Blanks and invisible characters: control characters, joiners, marks of direction and the like. */
const UNSEEN = /[\s\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu;

/** The form of a transaction_id: equal for ids that differ only in letter case (A to Z), blanks or invisible characters. */
export function transactionForm(transactionId: string): string {
  return transactionId.replace(UNSEEN, '').replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** An item whose transaction_id differs from a `known` one only in its form. */
export type OtherForm = { item: number; known: string };

/**
 * The first item whose transaction_id is another form of a known one, or of an earlier one in the batch. Transactions are compared
 * exactly, so the limits of a payment would not count it.
 * @param known transaction_ids of the account's payments and earlier operations that may have the form of one of the items
 */
export function otherForm(items: readonly string[], known: readonly string[]): OtherForm | undefined {
  const spellings = Map.groupBy(new Set([...known, ...items]), transactionForm);
  const exact = new Set(known);
  for (const [item, id] of items.entries()) {
    const others = spellings.get(transactionForm(id)) ?? [];
    const [other] = others;
    if (!exact.has(id) && other !== undefined && other !== id) return { item, known: other };
  }
  return undefined;
}
