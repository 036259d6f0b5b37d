import type { z } from 'zod';
import type {
  ListedPayment,
  OrderPaymentAnswer,
  PaymentList,
  paymentQuery,
  SettlePayment,
} from '../../shared/api/order-payment.ts';
import { maskText } from '../../shared/card-data/mask.ts';
import { minorUnits } from '../../shared/gateway/amounts.ts';
import { ProblemError } from '../base/errors.ts';
import { updatePayments } from '../commit/commit.ts';
import { paymentAnswer, paymentsAnswer } from '../commit/payment-answer.ts';
import type { Account } from '../config/load.ts';
import { rulesOf } from '../config/rules.ts';
import type { Context } from '../context/context.ts';
import { historiesOf } from '../context/histories.ts';
import { jsonReply, type Reply, type Use } from '../http/idempotency/idempotency.ts';
import { type ChangedOrder, changedOrder } from '../http/idempotency/written-reply.ts';
import { type Histories, historyIn } from '../payments/ledger/payment-operation.ts';
import { type StoredOrder, transactionIdsOf } from '../payments/order.ts';
import { settlePayment } from '../payments/settle-payment.ts';
import { refreshNow } from './find.ts';
import { noteAnswer } from './notes.ts';
import { paymentSearchOf } from './search-terms.ts';

/** A payment of an account. Throws ProblemError `not_found`, and StoreError. */
export async function ownPayment(
  context: Context,
  account: Account,
  transactionId: string,
): Promise<OrderPaymentAnswer> {
  const order = await orderPaidBy(context, account, transactionId);
  return answerOf(context, order, transactionId, await historiesOf(context, account.id, [transactionId]));
}

/** The first order that a transaction paid. Throws ProblemError `not_found`, and StoreError. */
async function orderPaidBy({ store }: Context, account: Account, transactionId: string): Promise<StoredOrder> {
  const paid = await store.operations.ordersPaidBy(account.id, [transactionId]);
  const orders = await store.orders.getMany(account.id, paid);
  return orders.find((order) => hasPayment(order, transactionId)) ?? unknownPayment();
}

function hasPayment({ payments }: StoredOrder, transactionId: string): boolean {
  return payments.some(({ transaction_id }) => transaction_id === transactionId);
}

function unknownPayment(): never {
  throw new ProblemError('not_found', 'This account has no payment with this transaction_id.');
}

function answerOf(
  context: Context,
  order: StoredOrder,
  transactionId: string,
  histories: Histories,
): OrderPaymentAnswer {
  const payment = order.payments.find(({ transaction_id }) => transaction_id === transactionId) ?? unknownPayment();
  return paymentAnswer(order, payment, historyIn(histories, transactionId), rulesOf(context.config));
}

type Query = z.infer<typeof paymentQuery>;

/** The maximum number of orders that one page inspects, and of reads, so that no search delays the relay for long. */
const MAX_INSPECTED = 200;
const MAX_READS = 10;

/**
 * A page of an account's payments: those of the orders that the list finds. The status of a payment depends on
 * operations, codes and the time, so it is derived when it is read. Throws StoreError.
 */
export async function findPayments(context: Context, account: Account, query: Query): Promise<PaymentList> {
  await refreshNow(context);
  const payments: ListedPayment[] = [];
  const { limit, ...search } = paymentSearchOf(query, account);
  let { after } = search;
  for (
    let [wanted, inspected, reads] = [0, 0, 0];
    wanted < limit && inspected < MAX_INSPECTED && reads < MAX_READS;
    reads++
  ) {
    const page = await context.store.listing.search({ ...search, limit: limit - wanted, ...(after ? { after } : {}) });
    const orderNos = page.orders.map(({ order_no }) => order_no);
    const found = await paymentsIn(context, account, orderNos, query);
    payments.push(...found.flat());
    wanted += found.filter(({ length }) => length > 0).length;
    inspected += page.orders.length;
    after = page.next;
    if (!after) break;
  }
  return { payments, ...(after ? { next: `${after.created_at}-${after.id}` } : {}) };
}

/** The matching payments of each of these orders. */
async function paymentsIn(
  context: Context,
  { id }: Account,
  orderNos: readonly string[],
  query: Query,
): Promise<ListedPayment[][]> {
  const [orders, notes] = await Promise.all([
    context.store.orders.getMany(id, orderNos),
    context.store.notes.newest(id, orderNos),
  ]);
  const ids = orders.flatMap(transactionIdsOf);
  const histories = await historiesOf(context, id, ids);
  const rules = rulesOf(context.config);
  return orders.map((order) => {
    const wanted = paymentsAnswer(order, histories, rules).filter((payment) => isWanted(payment, query));
    const newest = notes.find(({ order_no }) => order_no === order.order_no);
    return newest ? wanted.map((payment) => ({ ...payment, note: noteAnswer(newest) })) : wanted;
  });
}

function isWanted(
  payment: OrderPaymentAnswer,
  { status, capturable, recurring_id }: Pick<Query, 'status' | 'capturable' | 'recurring_id'>,
): boolean {
  return (
    (status === undefined || payment.status === status) &&
    (capturable === undefined || minorUnits(payment.capturable, payment.currency) > 0n) &&
    (recurring_id === undefined || payment.recurring_id === recurring_id)
  );
}

/**
 * Applies a person's decision about a payment. Nothing is sent, and a repetition changes nothing. Throws ProblemError
 * `not_found`, and StoreError.
 */
export async function settlePaymentNow(
  context: Context,
  use: Use,
  transactionId: string,
  { outcome, note }: SettlePayment,
): Promise<Reply> {
  const { account, by } = use;
  const key = await orderPaidBy(context, account, transactionId);
  const changed = (order: StoredOrder, histories: Histories): ChangedOrder => ({
    order,
    reply: jsonReply(200, answerOf(context, order, transactionId, histories)),
    items: order.payments.flatMap(({ transaction_id, amount, currency }) =>
      transaction_id === transactionId ? [{ transaction_id, amount, currency }] : [],
    ),
  });
  const about = { action: 'payment.settle', subject: transactionId, decision: outcome } as const;
  const reply = await changedOrder(context, use, about, async (more) => {
    const { order, histories } = await updatePayments(
      context,
      key,
      transactionIdsOf,
      (before, known) => {
        const at = context.now();
        const settler = { by, at: at.toISOString(), note: maskText(note) };
        return settlePayment(before, transactionId, outcome, settler, known, at, rulesOf(context.config));
      },
      (written, known) => more(changed(written, known)),
    );
    return changed(order, histories);
  });
  context.log.info({ transaction_id: transactionId, outcome, by }, 'payment settled by a person');
  return reply;
}
