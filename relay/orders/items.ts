import { isObject } from '../../shared/checkout/is-object.ts';
import { type Operation as Entry, operations } from '../../shared/gateway/operations.ts';
import type { Message } from '../../shared/gateway/signature.ts';
import type { EffectName, ItemOutcome, Operation } from '../payments/operations/operation.ts';
import type { Order } from '../payments/order.ts';

/** One item of an operation, as it was asked for, and what became of it where that is known. */
export type Item = { request: Message; outcome?: ItemOutcome };

/** The items of a batch, as they were asked for; empty for an operation that has none. */
export function itemsIn(name: EffectName, request: Message): Message[] {
  const { batch }: Entry = operations[name];
  const list = batch && request[batch.list];
  return Array.isArray(list) ? list.map((entry: unknown) => (isObject(entry) ? { ...entry } : {})) : [];
}

/** The items of an operation that are about an order. What is not known yet is `unknown`. */
export function itemsOf(order: Order, { name, request, state }: Operation): Item[] {
  const items = itemsIn(name, request);
  const outcomes = outcomesOf(state);
  const ids = new Set([...order.payments, ...order.attempts].flatMap(({ transaction_id }) => transaction_id ?? []));
  return items.flatMap((item, at) => {
    const isOwn = item.order_no === order.order_no || ids.has(String(item.transaction_id));
    const outcome = outcomes(at);
    return isOwn ? [{ request: item, ...(outcome ? { outcome } : {}) }] : [];
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
