import { isObject } from '../../shared/checkout/is-object.ts';
import { type EffectName, type Operation, operations } from '../../shared/gateway/operations.ts';

/** The order_nos that the items of a batch name, each once; of what is no batch none. The body need not be checked. */
export function orderNumbersIn(name: EffectName, body: unknown): string[] {
  const { batch, lists }: Operation = operations[name];
  const items: unknown = batch && isObject(body) ? body[batch.list] : undefined;
  if (!batch || !Array.isArray(items)) return [];
  const named = items.slice(0, lists[batch.list]).map((item: unknown) => (isObject(item) ? item.order_no : undefined));
  return [...new Set(named)].filter((one) => typeof one === 'string');
}
