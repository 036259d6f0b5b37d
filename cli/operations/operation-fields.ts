import type { OperationAnswer } from '../../client/index.ts';
import { isObject } from '../../shared/checkout/is-object.ts';
import { type Operation, operations } from '../../shared/gateway/operations.ts';

/** An operation as fields for people: where it stands, then its items, a line each. */
export function operationFields(kept: OperationAnswer): Record<string, string | undefined> {
  const { id, operation, status, created_at, by, settled_at, unknown, settlement } = kept;
  return {
    operation: id,
    does: operation,
    status,
    created: created_at,
    by,
    settled: settled_at,
    'settled by': settlement && (settlement.by === 'person' ? (settlement.who ?? 'a person') : 'a refund search'),
    note: settlement?.by === 'person' ? settlement.note : undefined,
    unknown: unknown && `${unknown.reason}, since ${unknown.since}`,
    'last search': unknown?.last_look && `${unknown.last_look.found}, at ${unknown.last_look.at}`,
    ...Object.fromEntries(itemLines(kept).map((line, at) => [`item ${at + 1}`, line])),
  };
}

/** What names an item, and says how much it is about. */
const named = ['order_no', 'transaction_id', 'recurring_id', 'request_id'];

function itemLines({ operation, request, items = [], references = [] }: OperationAnswer): string[] {
  const { batch }: Operation = operations[operation];
  const asked: unknown = batch ? request[batch.list] : [request];
  return (Array.isArray(asked) ? asked : []).map((item: unknown, at) => {
    const fields = isObject(item) ? item : {};
    const amount = fields.refund_amount ?? fields.amount ?? fields.payment_amount ?? fields.source_amount;
    const currency = fields.currency ?? fields.payment_currency ?? fields.source_currency;
    return [items[at] ?? 'not known', references[at], ...named.map((name) => fields[name]), amount, currency]
      .filter((word) => typeof word === 'string')
      .join(' ');
  });
}
