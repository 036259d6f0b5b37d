import { isOperationName } from './answers.ts';
import { always, type Guard, list, number, object, optional, text } from './guards.ts';
import type { Attention, AttentionCase, AttentionGroup } from './read.ts';

const isCase: Guard<AttentionCase> = object<AttentionCase>({
  since: text,
  why: text,
  order_no: optional(text),
  transaction_id: optional(text),
  operation_id: optional(text),
  operation: optional(isOperationName),
  items: optional(number),
  event_id: optional(text),
  event: optional(text),
  amount: optional(text),
  currency: optional(text),
  next_query_at: optional(text),
});

type Reconciled = NonNullable<Attention['reconciliation']>;

export const isAttention: Guard<Attention> = object<Attention>({
  at: text,
  groups: list(
    object<AttentionGroup>({
      kind: text,
      count: number,
      more: optional(always),
      cases: list(isCase),
    }),
  ),
  reconciliation: optional(object<Reconciled>({ reported_at: text, orders: number, total: number })),
});
