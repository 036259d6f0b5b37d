import { z } from 'zod';
import { type AttentionCase, MAX_CASES } from '../../../shared/api/attention.ts';
import type { Reconciliation } from '../../../shared/api/reconciliation.ts';
import { itemsOf, type Operation } from '../../payments/operations/operation.ts';
import type { OutboxEvent } from '../../store/event.ts';
import { operationAnswer } from '../../webhooks/operation-answer.ts';

/** An operation of which something is not known. Its amount is there where it has one item. */
export function operationCase(operation: Operation): AttentionCase {
  const { id, operation: name, created_at, unknown } = operationAnswer(operation);
  const items = itemsOf(operation);
  const [only, ...others] = items;
  return {
    since: unknown?.since ?? created_at,
    why: unknown?.reason ?? 'codes_not_listed',
    operation_id: id,
    operation: name,
    items: items.length,
    ...(others.length === 0 ? itemFacts(only) : {}),
    ...(unknown?.next_look_at === undefined ? {} : { next_query_at: unknown.next_look_at }),
  };
}

const fact = z.string().min(1).optional().catch(undefined);
const facts = z.object({ order_no: fact, transaction_id: fact, currency: fact, amount: fact, refund_amount: fact });

function itemFacts(item: unknown): Partial<AttentionCase> {
  const { refund_amount, amount, ...named } = facts.parse(item ?? {});
  return withoutAbsent({ ...named, amount: refund_amount ?? amount });
}

/** A webhook that was given up. */
export function eventCase({ id, type, subject, created_at, body, delivery }: OutboxEvent): AttentionCase {
  const isGivenUp = delivery.status === 'failed';
  const about = eventBody.safeParse(JSON.parse(body)).data?.data ?? {};
  return {
    since: isGivenUp ? delivery.failed_at : created_at,
    why: isGivenUp ? delivery.reason : delivery.status,
    event_id: id,
    event: type,
    ...(type.startsWith('session.') ? { session_id: subject } : {}),
    ...withoutAbsent(about),
  };
}

const eventBody = z.object({ data: z.object({ order_no: fact, currency: fact, amount: fact }) });

/** What the last reconciliation found, in the order of its report. */
export function differenceCases({ reported_at: since, differences }: Reconciliation): AttentionCase[] {
  return differences.slice(0, MAX_CASES).map((one) => {
    const { amount, currency } = one.there ?? one.here ?? {};
    const { order_no, transaction_id } = one;
    const why = one.class === 'missing_here' && one.known === false ? 'order_unknown_here' : one.class;
    return { since, why, ...withoutAbsent({ order_no, transaction_id, amount, currency }) };
  });
}

/** What is there. */
function withoutAbsent(fields: Record<string, string | undefined>): Record<string, string> {
  const entries = Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(entries);
}
