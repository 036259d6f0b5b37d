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
import { toMinor } from '../../../shared/gateway/amounts.ts';
import type { Order } from '../../payments/order.ts';
import type { Context } from '../../store/context.ts';
import { type Refunded, refundedOf } from '../../store/refunded.ts';
import { refreshNow } from '../refresh.ts';
import { caseTerm } from '../terms.ts';
import { type OrderKind, orderCases } from './order-cases.ts';
import { differenceCases, eventCase, operationCase } from './other-cases.ts';

/** How many there are, counted no further than one beyond `MAX_COUNTED`, and the first of them. */
type Found = { count: number; cases: AttentionCase[] };

/** Everything in an account that waits for a person, or for the gateway. Its work is bounded. Throws StoreError. */
export async function attentionOf(context: Context, account: string): Promise<Attention> {
  await refreshNow(context);
  const last = await context.store.lastReconciliation(account);
  const groups = attentionKinds.map(async (kind) => groupOf(kind, await find(context, account, kind, last)));
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

async function find(
  context: Context,
  account: string,
  kind: AttentionKind,
  last: Reconciliation | undefined,
): Promise<Found> {
  switch (kind) {
    case 'paid_twice':
    case 'order_unknown':
    case 'order_contradicted':
    case 'order_overdue':
    case 'order_asked':
    case 'order_pending':
      return findOrders(context, account, kind);
    case 'operation_unknown':
    case 'operation_asked': {
      const waitsFor = kind === 'operation_unknown' ? 'person' : 'gateway';
      const bounds = { limit: MAX_CASES, most: MAX_COUNTED + 1 };
      const { count, operations } = await context.store.openOperations({ account, waitsFor, ...bounds });
      return { count, cases: operations.map(operationCase) };
    }
    case 'difference':
      return last ? { count: last.total, cases: differenceCases(last) } : { count: 0, cases: [] };
    case 'webhook_failed': {
      const filter = { account, status: 'failed', oldestFirst: {}, limit: MAX_COUNTED + 1 } as const;
      const events = await context.store.listEvents(filter);
      return { count: events.length, cases: events.slice(0, MAX_CASES).map(eventCase) };
    }
  }
}

/** The list of orders names them; each is read again, for it may have changed since it was listed. */
async function findOrders(context: Context, account: string, kind: OrderKind): Promise<Found> {
  const numbers = await context.store.oldestOrders(account, caseTerm(kind), MAX_COUNTED + 1);
  // What was given back since is still listed as paid twice: those cannot be counted by their terms.
  const read = kind === 'paid_twice' ? numbers : numbers.slice(0, MAX_CASES);
  const orders = await Promise.all(read.map((orderNo) => context.store.order(account, orderNo)));
  const isOpen = kind === 'paid_twice' ? await paidTwice(context, orders) : () => true;
  const open = orders.filter(isOpen).flatMap((order) => orderCases(order).filter((one) => one.kind === kind));
  const cases = open.slice(0, MAX_CASES).map(({ kind: _, ...one }) => one);
  return { count: numbers.length - (read.length - open.length), cases };
}

/** Whether an order, one of these, still has more than one payment that was not given back as a whole. */
async function paidTwice(context: Context, orders: readonly Order[]): Promise<(order: Order) => boolean> {
  const sums = new Map(
    await Promise.all(orders.map(async (order) => [order.order_no, await refundedOf(context, order)] as const)),
  );
  return ({ order_no, payments }) =>
    payments.filter((payment) => !isGivenBack(payment, sums.get(order_no) ?? new Map())).length > 1;
}

function isGivenBack({ transaction_id, amount, currency }: Order['payments'][number], refunded: Refunded): boolean {
  const sum = refunded.get(transaction_id) ?? 0n;
  try {
    return sum > 0n && sum >= toMinor(amount, currency);
  } catch (error) {
    // Whoever wrote an amount in a form that no currency has did not give it back through the relay.
    if (error instanceof RangeError) return false;
    throw error;
  }
}
