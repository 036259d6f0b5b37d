import type { Client, OrderDetail } from '../../client/index.ts';
import { CliError, EXIT, UsageError } from '../base/errors.ts';

/**
 * The payment of an operation. `capturable` and `refundable` are its remaining amounts: a pending payment can be
 * captured completely, as far as the relay knows, and not refunded. `isOver`: it was cancelled or rejected.
 */
export type Payment = {
  order_no: string;
  transaction_id: string;
  currency: string;
  amount: string;
  capturable: string;
  refundable: string;
  isOver: boolean;
  /** The captured sum of the whole order, with its currency. */
  captured: string;
};

/** The names by which a payment is looked up. */
type Named = { orderNo: string | undefined; transaction: string | undefined };

/**
 * Looks a payment up by its order, its transaction, or both. With `pending` it also finds a payment without an outcome,
 * such as one that is held for review. Throws UsageError if the names match none or several, and CliError if the relay
 * does not know the payment.
 */
export async function paymentOf(client: Client, named: Named, { pending }: { pending: boolean }): Promise<Payment> {
  const order = await orderOf(client, named);
  const known = [...payments(order), ...(pending ? paymentsUnderWay(order) : [])];
  const { transaction } = named;
  const found = transaction === undefined ? known : known.filter((one) => one.transaction_id === transaction);
  const [payment] = found;
  if (payment && found.length === 1) return payment;
  if (known.length === 0) {
    throw new CliError('not_paid', `The relay knows of no payment of order ${order.order_no}.`, {
      exitCode: EXIT.refused,
      hint: `See what happened to it: turnpike orders get ${order.order_no}`,
    });
  }
  const all = known.map((one) => `${one.transaction_id} (${one.amount} ${one.currency}, ${one.refundable} refundable)`);
  throw new UsageError(
    transaction === undefined
      ? `Order ${order.order_no} has ${known.length} payments.`
      : `${transaction} is no payment of order ${order.order_no}.`,
    `Choose one by --transaction: ${all.join(', ')}.`,
  );
}

async function orderOf(client: Client, { orderNo, transaction }: Named): Promise<OrderDetail> {
  if (orderNo !== undefined) return client.orders.get(orderNo);
  if (transaction === undefined) throw new UsageError('Name an order, or a --transaction.');
  for await (const { order_no } of client.orders.each({ transaction_id: transaction })) {
    return client.orders.get(order_no);
  }
  throw new CliError('not_found', `The relay knows no order with the transaction ${transaction}.`, {
    exitCode: EXIT.refused,
    hint: `Ask the gateway: turnpike query --trades ${transaction}`,
  });
}

function payments({ order_no, captured, currency: of, payments: paid }: OrderDetail): Payment[] {
  return paid.map(({ transaction_id, currency, amount, capturable, refundable, status }) => {
    const isOver = status === 'cancelled' || status === 'rejected';
    const sums = { captured: `${captured} ${of}`, amount, capturable, refundable };
    return { order_no, transaction_id, currency, ...sums, isOver };
  });
}

function paymentsUnderWay(order: OrderDetail): Payment[] {
  const { order_no, payments: paid, sessions } = order;
  const captured = `${order.captured} ${order.currency}`;
  const isPaid = (id: string) => paid.some(({ transaction_id }) => transaction_id === id);
  return sessions
    .flatMap(({ attempts }) => attempts)
    .flatMap(({ status, transaction_id, currency, amount }) => {
      if (status !== 'pending' || transaction_id === undefined || isPaid(transaction_id)) return [];
      const sums = { captured, amount, capturable: amount, refundable: '0.00' };
      return [{ order_no, transaction_id, currency, ...sums, isOver: false }];
    });
}
