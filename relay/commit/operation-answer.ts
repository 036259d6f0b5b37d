import type { OperationAnswer } from '../../shared/api/operation.ts';
import type { OperationCompleted } from '../../shared/api/webhook.ts';
import { unknownSince } from '../payments/operations/after-refund-search.ts';
import {
  canBeSettled,
  itemsOf,
  knownItems,
  nextSearchAt,
  type StoredOperation,
} from '../payments/operations/operation.ts';

/** An operation in the answer of `GET /v1/operations/:id` and in webhooks. */
export function operationAnswer(operation: StoredOperation): OperationAnswer {
  const { id, name, created_at, by, approved_by, settled_at, references, metadata, request, state } = operation;
  const common = {
    id,
    operation: name,
    status: state.status,
    created_at,
    by,
    ...(approved_by === undefined ? {} : { approved_by }),
    ...(settled_at === undefined ? {} : { settled_at }),
    request: { ...request },
    ...(references === undefined ? {} : { references: [...references] }),
    ...(metadata === undefined ? {} : { metadata: { ...metadata } }),
  };
  switch (state.status) {
    case 'in_flight':
    case 'not_sent':
      return common;
    case 'refused': {
      const { evidence, reserved } = state;
      return { ...common, ...(reserved ? { unknown: unknownOf(operation, 'refused') } : {}), evidence };
    }
    case 'answered':
      return {
        ...common,
        answer: { ...state.answer },
        items: state.items,
        ...(operation.name === 'refund' && canBeSettled(operation)
          ? { unknown: unknownOf(operation, 'codes_not_listed') }
          : {}),
        ...(state.disputed ? { unknown: { ...unknownOf(operation, 'ends_disagree'), since: state.disputed } } : {}),
        ...(state.settlement ? { settlement: state.settlement } : {}),
      };
    case 'unknown': {
      const { reason, since, evidence } = state;
      return { ...common, unknown: { ...unknownOf(operation, reason), since }, evidence };
    }
    case 'settled': {
      const { settlement, answer, evidence } = state;
      return {
        ...common,
        ...(answer ? { answer: { ...answer } } : {}),
        items: settlement.items,
        ...(evidence ? { evidence } : {}),
        settlement,
      };
    }
  }
}

/** The names and the amount of an item. */
const named = [
  ...(['transaction_id', 'order_no', 'currency', 'amount', 'refund_amount'] as const),
  ...(['request_id', 'recurring_id'] as const),
];

/** An operation with the outcome of each item, in the webhook `operation.completed`. */
export function completedAnswer(operation: StoredOperation): OperationCompleted {
  const { id, name, by, created_at, settled_at, references = [], metadata, state } = operation;
  const outcomes = knownItems(operation) ?? [];
  return {
    ...{ id, name, by, status: state.status, created_at },
    ...(settled_at === undefined ? {} : { settled_at }),
    ...(metadata === undefined ? {} : { metadata: { ...metadata } }),
    items: itemsOf(operation).map((item, at) => {
      const reference = references[at];
      const own = named.flatMap((field) => (typeof item[field] === 'string' ? [[field, item[field]]] : []));
      return {
        ...Object.fromEntries(own),
        status: outcomes[at] ?? 'unknown',
        ...(reference === undefined ? {} : { reference }),
      };
    }),
  };
}

/** Why an operation is unknown, and the state of its search. An operation without a search needs attention. */
function unknownOf(operation: StoredOperation, reason: string): NonNullable<OperationAnswer['unknown']> {
  const { lookup, state, created_at } = operation;
  if (!lookup) return { reason, since: created_at, needs_attention: true };
  const next_query_at = nextSearchAt(operation);
  return {
    reason,
    since: unknownSince(lookup, state),
    queries: lookup.looks,
    ...(next_query_at === undefined ? {} : { next_query_at }),
    ...(lookup.last_look ? { last_query: lookup.last_look } : {}),
    needs_attention: next_query_at === undefined,
  };
}
