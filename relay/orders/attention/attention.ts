import type { Router } from 'express';
import { z } from 'zod';
import {
  type Attention,
  type AttentionCase,
  type AttentionGroup,
  type AttentionKind,
  attentionKinds,
  MAX_CASES,
  MAX_COUNTED,
} from '../../../shared/api/attention.ts';
import type { Reconciliation } from '../../../shared/api/reconciliation.ts';
import { operationAnswer } from '../../commit/operation-answer.ts';
import { rulesOf } from '../../config/rules.ts';
import { approvalsOf, mayDecide } from '../../context/approvals.ts';
import type { Context } from '../../context/context.ts';
import { historiesOf } from '../../context/histories.ts';
import { principalIn } from '../../http/access.ts';
import { serve } from '../../http/serve.ts';
import { standingsOf } from '../../payments/ledger/order-status.ts';
import type { StoredApproval } from '../../payments/operations/approval.ts';
import { itemsOf, type StoredOperation } from '../../payments/operations/operation.ts';
import { transactionIdsOf } from '../../payments/order.ts';
import { attentionRoutes } from '../../routes/orders/attention.ts';
import type { OutboxEvent } from '../../store/facets/outbox.ts';
import { refreshNow } from '../find.ts';
import { authorisedBefore, caseTerm } from '../search-terms.ts';
import { type OrderKind, orderCases } from './order-cases.ts';

/** The number of cases, counted up to a limit, and the first of them. */
type Found = { count: number; cases: AttentionCase[] };

/**
 * The cases of an account that wait for a person or for the gateway. The work is bounded. Throws StoreError.
 * @param isShown whether a request for approval is included
 */
export async function attentionOf(
  context: Context,
  account: string,
  isShown: (approval: StoredApproval) => boolean = () => true,
): Promise<Attention> {
  await refreshNow(context);
  const last = await context.store.stats.lastReconciliation(account);
  const groups = attentionKinds.map(async (kind) =>
    groupOf(kind, await find({ context, account, isShown }, kind, last)),
  );
  return {
    at: context.now().toISOString(),
    groups: await Promise.all(groups),
    ...(last ? { reconciliation: summaryOf(last) } : {}),
  };
}

function groupOf(kind: AttentionKind, { count, cases }: Found): AttentionGroup {
  const [first] = cases;
  return {
    kind,
    count: Math.min(count, MAX_COUNTED),
    ...(count > MAX_COUNTED ? { more: true } : {}),
    ...(first ? { oldest: first.since } : {}),
    cases,
  };
}

function summaryOf({ reported_at, from, to, orders, total }: Reconciliation): NonNullable<Attention['reconciliation']> {
  return { reported_at, from, to, orders, total };
}

type CaseQuery = { context: Context; account: string; isShown: (approval: StoredApproval) => boolean };

async function find(
  { context, account, isShown }: CaseQuery,
  kind: AttentionKind,
  last: Reconciliation | undefined,
): Promise<Found> {
  switch (kind) {
    case 'paid_twice':
    case 'payment_reversed':
    case 'payment_unconfirmed':
    case 'payment_held':
    case 'payment_authorised':
    case 'charge_failed':
    case 'order_unknown':
    case 'order_contradicted':
    case 'order_overdue':
    case 'order_asked':
    case 'order_pending':
      return findOrders(context, account, kind);
    case 'operation_unknown':
    case 'operation_asked': {
      const waitsFor = kind === 'operation_unknown' ? 'person' : 'gateway';
      const bounds = { limit: MAX_CASES, max: MAX_COUNTED + 1 };
      const { count, operations } = await context.store.operations.listOpen({ account, waitsFor, ...bounds });
      return { count, cases: operations.map(operationCase) };
    }
    case 'approval': {
      const all = await approvalsOf(context, account);
      const shown = all.filter(({ standing, approval }) => standing === 'waiting' && isShown(approval));
      return { count: shown.length, cases: shown.slice(0, MAX_CASES).map(({ approval }) => approvalCase(approval)) };
    }
    case 'difference':
      return last ? { count: last.total, cases: differenceCases(last) } : { count: 0, cases: [] };
    case 'webhook_failed': {
      const filter = { account, status: 'failed', oldestFirst: {}, limit: MAX_COUNTED + 1 } as const;
      const events = await context.store.outbox.list(filter);
      return { count: events.length, cases: events.slice(0, MAX_CASES).map(eventCase) };
    }
  }
}

/**
 * The list of orders names the orders; each shown one is read again, because it may have changed since it was listed.
 */
async function findOrders(context: Context, account: string, kind: OrderKind): Promise<Found> {
  const rules = rulesOf(context.config);
  const before = kind === 'payment_authorised' ? authorisedBefore(context) : undefined;
  const numbers = await context.store.listing.oldest(account, caseTerm(kind), MAX_COUNTED + 1, before);
  const shown = numbers.slice(0, MAX_CASES);
  const orders = await context.store.orders.getMany(account, shown);
  const histories = await historiesOf(context, account, orders.flatMap(transactionIdsOf));
  const now = context.now().getTime();
  const cases = orders
    .flatMap((order) => orderCases(order, { standings: standingsOf(order, histories, rules), rules }))
    .filter((one) => one.kind === kind && Date.parse(one.since) <= now)
    .map(({ kind: _, ...one }) => one)
    .toSorted((a, b) => Date.parse(a.since) - Date.parse(b.since));
  return { count: numbers.length - (shown.length - cases.length), cases };
}

/** An operation with an unknown outcome. Its amount is included if it has one item. */
function operationCase(operation: StoredOperation): AttentionCase {
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
    ...(unknown?.next_query_at === undefined ? {} : { next_query_at: unknown.next_query_at }),
  };
}

/** A request that waits for approval. */
function approvalCase({ id, name, by, created_at, expires_at, items }: StoredApproval): AttentionCase {
  const [only, ...others] = items;
  return {
    ...{ since: created_at, why: 'approval', approval_id: id, operation: name, by, expires_at, items: items.length },
    ...(others.length === 0 ? itemFacts(only) : withoutAbsent({ order_no: only?.order_no })),
  };
}

const fact = z.string().min(1).optional().catch(undefined);
const facts = z.object({ order_no: fact, transaction_id: fact, currency: fact, amount: fact, refund_amount: fact });

function itemFacts(item: unknown): Partial<AttentionCase> {
  const { refund_amount, amount, ...named } = facts.parse(item ?? {});
  return withoutAbsent({ ...named, amount: refund_amount ?? amount });
}

/** A webhook that was given up. */
function eventCase({ id, type, subject, created_at, body, delivery }: OutboxEvent): AttentionCase {
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

/** The findings of the last reconciliation, in the order of its report. */
function differenceCases({ reported_at: since, differences }: Reconciliation): AttentionCase[] {
  return differences.slice(0, MAX_CASES).map((one) => {
    const { amount, currency } = one.there ?? one.here ?? {};
    const { order_no, transaction_id } = one;
    const why = one.class === 'missing_here' && one.known === false ? 'order_unknown_here' : one.class;
    return { since, why, ...withoutAbsent({ order_no, transaction_id, amount, currency }) };
  });
}

/** The fields that have a value. */
function withoutAbsent(fields: Record<string, string | undefined>): Record<string, string> {
  const entries = Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(entries);
}

/** The cases of an account that wait for a person. */
export function serveAttention(context: Context): Router {
  return serve(context, attentionRoutes, {
    getAttention: ({ res, account }) => {
      const who = principalIn(res);
      // A person gets only requests that they may decide.
      return attentionOf(context, account.id, (approval) => who.kind === 'key' || mayDecide(approval, who));
    },
  });
}
