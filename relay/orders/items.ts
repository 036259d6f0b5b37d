import type { Message } from '../../shared/gateway/signature.ts';
import { type ItemOutcome, itemsOf, type Operation } from '../payments/operations/operation.ts';
import type { Order } from '../payments/order.ts';

/** One item of an operation, as it was asked for, and what became of it where that is known. */
export type Item = { request: Message; outcome?: ItemOutcome; reference?: string };

/** The items of an operation that are about an order. What is not known yet is `unknown`. */
export function itemsAbout(order: Order, operation: Operation): Item[] {
  const { references = [], state } = operation;
  const outcomes = outcomesOf(state);
  const ids = new Set([...order.payments, ...order.attempts].flatMap(({ transaction_id }) => transaction_id ?? []));
  const contracts = new Set(order.payments.flatMap(({ recurring_id }) => recurring_id ?? []));
  return itemsOf(operation).flatMap((item, at): Item[] => {
    const { order_no, transaction_id, recurring_id } = item;
    const isOwn = order_no === order.order_no || ids.has(String(transaction_id)) || contracts.has(String(recurring_id));
    const [outcome, reference] = [outcomes(at), references[at]];
    if (!isOwn) return [];
    return [
      { request: { ...item }, ...(outcome ? { outcome } : {}), ...(reference === undefined ? {} : { reference }) },
    ];
  });
}

function outcomesOf(state: Operation['state']): (at: number) => ItemOutcome | undefined {
  switch (state.status) {
    case 'answered':
      return (at) => state.items[at];
    case 'settled':
      return (at) => state.settlement.items[at];
    case 'not_sent':
      return () => 'failed';
    case 'refused':
      return () => (state.reserved ? 'unknown' : 'failed');
    case 'in_flight':
    case 'unknown':
      return () => 'unknown';
  }
}
