import { Command } from 'commander';
import { z } from 'zod';
import type { OrderDetail, OrderSummary, TimelineEntry } from '../../client/index.ts';
import { orderStatuses } from '../../shared/api/order.ts';
import { isZero } from '../../shared/gateway/amounts.ts';
import { pageSize, runOf, someOf } from '../base/command.ts';
import type { Io } from '../base/io.ts';
import { allOption, amount, limitOption, listed, momentBefore } from '../base/options.ts';
import type { Column } from '../base/output.ts';

/** `turnpike orders list|get|reconcile`. */
export function ordersCommand(io: Io): Command {
  const orders = new Command('orders');

  orders
    .command('list')
    .description('list orders, the newest first')
    .option('--status <status>', `only orders in this status: ${orderStatuses.join(', ')}`)
    .option('--from <time>', 'created at this time or later: 2027-03-31T10:15:00Z, 2027-03-31, or a span such as 2h')
    .option('--to <time>', 'created before this time')
    .option('--amount <amount>', 'only orders of this amount (requires --currency)')
    .option('--currency <code>', 'only orders in this currency')
    .option('--payment-method <name>', 'only orders paid with this method: card, token, or a name such as PIX')
    .option('--last4 <digits>', 'only orders tried with a card that ends in these four digits')
    .option('--email <address>', 'only orders of the shopper with this e-mail address')
    .option('--order-no <prefix>', 'only orders whose order_no starts with this')
    .option('--transaction-id <prefix>', 'only orders whose transaction_id starts with this')
    .option('--capturable', 'only orders with a capturable payment')
    .option('--needs-attention', 'only orders that a person must look into')
    .option(...limitOption)
    .option(...allOption)
    .action(async (_options: unknown, command: Command) => {
      const { out, options, client } = runOf(io, command, {
        status: z.enum(orderStatuses).optional(),
        from: momentBefore(io.now()).optional(),
        to: momentBefore(io.now()).optional(),
        amount: amount.optional(),
        currency: z.string().optional(),
        paymentMethod: z.string().optional(),
        last4: z.string().optional(),
        email: z.string().optional(),
        orderNo: z.string().optional(),
        transactionId: z.string().optional(),
        capturable: z.literal(true).optional(),
        needsAttention: z.literal(true).optional(),
        ...listed,
      });
      const found = (await client()).orders.each({
        status: options.status,
        created_from: options.from?.toISOString(),
        created_to: options.to?.toISOString(),
        amount: options.amount,
        currency: options.currency,
        payment_method: options.paymentMethod,
        last4: options.last4,
        email: options.email,
        order_no_prefix: options.orderNo,
        transaction_id_prefix: options.transactionId,
        capturable: options.capturable,
        needs_attention: options.needsAttention,
        limit: pageSize(options),
      });
      await out.rows(someOf(found, options), columns);
    });

  orders
    .command('get <order_no>')
    .description('show one order: what was paid, refunded and captured, and its timeline')
    .action(async (orderNo: string, _options: unknown, command: Command) => {
      const { out, client } = runOf(io, command, {});
      const order = await (await client()).orders.get(orderNo);
      out.record(order, orderFields(order));
    });

  orders
    .command('reconcile <order_no>')
    .description('have the relay query the gateway about one order now, and show the order')
    .addHelpText('after', '\nThe key needs the scope query.')
    .action(async (orderNo: string, _options: unknown, command: Command) => {
      const { out, client } = runOf(io, command, {});
      const order = await (await client()).orders.reconcile(orderNo);
      out.record(order, { ...orderFields(order), query: queryLine(order) });
    });

  return orders;
}

const columns: readonly Column<OrderSummary>[] = [
  { name: 'ORDER', cell: ({ order_no }) => order_no },
  { name: 'STATUS', cell: ({ status, needs_attention }) => (needs_attention ? `${status} !` : status) },
  { name: 'AMOUNT', cell: ({ amount, currency }) => `${amount} ${currency}` },
  { name: 'METHOD', cell: ({ payment_method }) => payment_method },
  { name: 'CARD', cell: ({ card }) => card },
  { name: 'TRANSACTION', cell: ({ transaction_id }) => transaction_id },
  { name: 'CREATED', cell: ({ created_at }) => created_at },
];

/** An order as fields for people: its sums first, then its timeline, one entry a line. */
function orderFields(order: OrderDetail): Record<string, string | undefined> {
  // A key without the scope `console` gets no timeline.
  const { order_no, status, amount, currency, captured, refunded, refundable, payments, timeline = [] } = order;
  return {
    order: order_no,
    status: order.needs_attention ? `${status}, needs attention` : status,
    amount: `${amount} ${currency}`,
    captured: `${captured} ${currency}`,
    refunded: `${refunded} ${currency}`,
    refundable: `${refundable} ${currency}`,
    created: order.created_at,
    ...Object.fromEntries(payments.map((payment, at) => [`payment ${at + 1}`, paymentLine(payment)])),
    ...Object.fromEntries(timeline.map((entry, at) => [`${at + 1}`.padStart(3), `${entry.at}  ${lineOf(entry)}`])),
    more: order.truncated ? 'the timeline is longer: ask with --json' : undefined,
  };
}

/** The result of the query, and whether it can prove something. */
function queryLine({ last_query }: OrderDetail): string | undefined {
  if (last_query === undefined) return undefined;
  return last_query.counted
    ? 'answered by the gateway'
    : `proves nothing${last_query.fault ? `: ${last_query.fault}` : ''}`;
}

/** A payment: its status, its proof and its sums, in one line. */
function paymentLine(payment: OrderDetail['payments'][number]): string {
  const { transaction_id, amount, currency, status, proof, refund_undecided } = payment;
  const undecided = isZero(refund_undecided) ? '' : ` (${refund_undecided} more not known yet)`;
  const sums = [
    `${payment.captured} captured`,
    `${payment.capturable} capturable`,
    `${payment.refunded} refunded${undecided}`,
    `${payment.refundable} refundable`,
  ];
  return `${transaction_id}, ${amount} ${currency}, ${status}, known by ${proof}: ${sums.join(', ')}`;
}

/** An entry of the timeline in one line. */
function lineOf(entry: TimelineEntry): string {
  switch (entry.type) {
    case 'session':
      return `session ${entry.session_id} opened`;
    case 'attempt':
      return `attempt ${entry.attempt.id}: ${entry.attempt.status}`;
    case 'settled':
      return `settled by ${entry.by}${entry.outcome ? ` as ${entry.outcome}` : ''}: ${entry.note}`;
    case 'note':
      return `note by ${entry.by}: ${entry.note}`;
    case 'query':
      return `gateway queried${entry.fault ? `, failed: ${entry.fault}` : ''}`;
    case 'next_query':
      return 'the gateway is queried again';
    case 'notification':
      return `notification${entry.verified ? '' : ', not signed'}${entry.times > 1 ? `, ${entry.times} times` : ''}`;
    case 'webhook':
      return `webhook ${entry.event} ${entry.id}: ${entry.delivery.status}`;
    case 'operation':
      return `${entry.operation} ${entry.id}${entry.by ? ` by ${entry.by}` : ''}: ${entry.status}${outcomes(entry.items)}`;
  }
}

function outcomes(items: readonly { outcome?: string | undefined }[]): string {
  const known = items.flatMap(({ outcome }) => outcome ?? []);
  return known.length > 0 ? ` (${known.join(', ')})` : '';
}
