import type { AuditItem } from '../../../shared/api/audit.ts';
import type { EffectName } from '../../../shared/gateway/operations.ts';
import type { Message } from '../../../shared/gateway/signature.ts';
import { type ItemOutcome, itemsOf, outcomeAt, type StoredOperation } from './operation.ts';

/** The items and the outcome of an operation in the audit log. */
export type Audited = { items: AuditItem[]; outcome: ItemOutcome };

/** The items of an operation with the outcomes that are known now. */
export function auditedOf(operation: StoredOperation): Audited {
  const { name, state } = operation;
  const items = itemsOf(operation).map((item, at) => ({
    ...requestedOf(name, item),
    outcome: outcomeAt(state, at) ?? 'unknown',
  }));
  return { items, outcome: outcomeOfAll(items.map(({ outcome }) => outcome)) };
}

/** The requested items. */
export function requestedItems({ name, request }: Pick<StoredOperation, 'name' | 'request'>): AuditItem[] {
  return itemsOf({ name, request }).map((item) => requestedOf(name, item));
}

/** The worst outcome of the items: unknown before failed. */
function outcomeOfAll(outcomes: readonly ItemOutcome[]): ItemOutcome {
  return (['unknown', 'failed'] as const).find((one) => outcomes.includes(one)) ?? 'succeeded';
}

function requestedOf(name: EffectName, item: Message): AuditItem {
  switch (name) {
    case 'refund':
      return texts({ ...item, amount: item.refund_amount });
    case 'payout': {
      const { payment_amount, payment_currency, source_amount, source_currency } = item;
      return payment_amount === undefined
        ? texts({ amount: source_amount, currency: source_currency })
        : texts({
            ...{ amount: payment_amount, currency: payment_currency },
            ...(source_amount ? { source_amount, source_currency } : {}),
          });
    }
    default:
      return texts(item);
  }
}

const named = [
  ...(['transaction_id', 'order_no', 'recurring_id', 'review_flag'] as const),
  ...(['amount', 'currency', 'source_amount', 'source_currency'] as const),
] as const;

function texts(item: Message): AuditItem {
  const given = named.flatMap((name) => (typeof item[name] === 'string' ? [[name, item[name]]] : []));
  return Object.fromEntries(given);
}
