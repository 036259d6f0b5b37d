import type { OrderDetail } from '../../shared/api/order.ts';
import { fromMinor, minorUnits } from '../../shared/gateway/amounts.ts';
import type { Operation } from '../payments/operations/operation.ts';
import type { Order, Payment } from '../payments/order.ts';
import { type Context, type Refunded, refundedOf } from '../store/context.ts';
import { orderAnswer } from '../webhooks/session-answer.ts';
import { refreshNow } from './find.ts';
import { operationTermsOf, summaryOf } from './terms.ts';
import { itemsAbout, MAX_ENTRIES, timelineOf } from './timeline.ts';

/** An order with its money and all that happened to it. Throws StoreError. */
export async function orderDetail(context: Context, order: Order): Promise<OrderDetail> {
  const operations = await operationsOf(context, order);
  const [money, timeline] = await Promise.all([
    moneyAnswer(context, order, operations),
    timelineAnswer(context, order, operations),
  ]);
  return { ...money, ...timeline };
}

/** An order with its money alone. Throws StoreError. */
export async function orderMoney(context: Context, order: Order): Promise<OrderDetail> {
  return moneyAnswer(context, order, await operationsOf(context, order));
}

async function operationsOf(context: Context, order: Order): Promise<Operation[]> {
  // An operation that began a moment ago has to be found by the order.
  await refreshNow(context);
  return context.store.listing.operationsOf(order.account, operationTermsOf(order), MAX_ENTRIES);
}

async function timelineAnswer(
  context: Context,
  order: Order,
  operations: readonly Operation[],
): Promise<Pick<OrderDetail, 'timeline' | 'truncated'>> {
  const { account } = order;
  const sessions = order.sessions.map(({ id }) => id);
  const subjects = [...sessions, ...operations.map(({ id }) => id)];
  const [notifications, ...events] = await Promise.all([
    context.store.notifications.list(sessions, MAX_ENTRIES),
    ...subjects
      .slice(0, MAX_ENTRIES)
      .map((subject) => context.store.outbox.list({ account, subject, limit: MAX_ENTRIES })),
  ]);
  const known = { notifications, events: events.flat(), operations };
  const { entries, isTruncated } = timelineOf(order, known);
  return { timeline: entries, ...(isTruncated ? { truncated: true } : {}) };
}

async function moneyAnswer(context: Context, order: Order, operations: readonly Operation[]): Promise<OrderDetail> {
  const refunded = await refundedOf(context, order);
  const answer = orderAnswer(order, context.now(), refunded);
  const { created_at, amount, currency, needs_attention } = summaryOf(order) ?? withoutSessions(order);
  const money = order.payments.map((payment) => moneyOf(payment, refunded));
  const own = money.filter((one) => one.currency === currency);
  const total = (pick: (one: Money) => bigint): string =>
    fromMinor(
      own.reduce((all, one) => all + pick(one), 0n),
      currency,
    );
  return {
    ...answer,
    created_at,
    amount,
    currency,
    needs_attention,
    payments: answer.payments.map((payment, at) => {
      const { refunded = 0n, refundable = 0n } = money[at] ?? {};
      return {
        ...payment,
        refunded: fromMinor(refunded, payment.currency),
        refundable: fromMinor(refundable, payment.currency),
      };
    }),
    captured: fromMinor(captured(order, operations, currency), currency),
    refunded: total((one) => one.refunded),
    refundable: total((one) => one.refundable),
  };
}

type Money = { currency: string; refunded: bigint; refundable: bigint };

/** What refunds took of a payment, and what is left of it: the same as counts when a refund is asked for. */
function moneyOf({ transaction_id, amount, currency }: Payment, sums: Refunded): Money {
  const [paid, refunded] = [minorUnits(amount, currency), sums.get(transaction_id) ?? 0n];
  return { currency, refunded, refundable: paid > refunded ? paid - refunded : 0n };
}

/** What captures that succeeded took of an order. */
function captured(order: Order, operations: readonly Operation[], currency: string): bigint {
  const items = operations.filter(({ name }) => name === 'capture').flatMap((one) => itemsAbout(order, one));
  const done = items.filter(({ outcome, request }) => outcome === 'succeeded' && request.currency === currency);
  return done.reduce((sum, { request }) => sum + minorUnits(String(request.amount), currency), 0n);
}

/** What is left of an order whose sessions are no longer kept. */
function withoutSessions({ payments }: Order) {
  const [payment] = payments;
  return {
    created_at: payment?.date ?? new Date(0).toISOString(),
    amount: payment?.amount ?? '0.00',
    currency: payment?.currency ?? '',
    needs_attention: false,
  };
}
