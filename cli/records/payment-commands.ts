import { Command } from 'commander';
import { z } from 'zod';
import type { OrderPaymentAnswer } from '../../client/index.ts';
import { paymentStatuses, paymentVerdicts, settlePayment } from '../../shared/api/order-payment.ts';
import { isZero } from '../../shared/gateway/amounts.ts';
import { confirm, pageSize, runOf, someOf } from '../base/command.ts';
import type { Io } from '../base/io.ts';
import { allOption, checked, limitOption, listed, momentBefore, once } from '../base/options.ts';
import type { Column } from '../base/output.ts';

/** `turnpike payments list|get|settle`. */
export function paymentsCommand(io: Io): Command {
  const payments = new Command('payments');
  payments.addCommand(listCommand(io));

  payments
    .command('get <transaction_id>')
    .description('show one payment: its status, its sums, and the operations on it')
    .action(async (id: string, _options: unknown, self: Command) => {
      const { out, client } = runOf(io, self, {});
      const payment = await (await client()).payments.get(id);
      out.record(payment, paymentFields(payment));
    });

  payments
    .command('settle <transaction_id>')
    .description('decide about a payment that is held, reversed or unconfirmed, after a look at the gateway’s records')
    .requiredOption('--outcome <outcome>', paymentVerdicts.join(', or '))
    .requiredOption('--note <text>', 'how you know')
    .option('--idempotency-key <key>', 'the same key and options again: it is done once (a random key)')
    .option('--yes', 'do not ask')
    .action(async (id: string, _options: unknown, self: Command) => {
      const run = runOf(io, self, { outcome: z.enum(paymentVerdicts), note: z.string(), ...once });
      const { outcome, note, idempotencyKey } = run.options;
      const body = checked(settlePayment, { outcome, note });
      const client = await run.client();
      const { order_no, status } = await client.payments.get(id);
      await confirm(
        io,
        run.options,
        `Payment ${id} of order ${order_no} is ${status}. Settle it as ${outcome}? The relay will act on this decision.`,
      );
      const settled = await client.payments.settle(id, body, { idempotencyKey });
      run.out.record(settled, paymentFields(settled));
    });

  return payments;
}

/** `turnpike payments list`. */
function listCommand(io: Io): Command {
  return new Command('list')
    .description('list payments, those of the newest orders first')
    .option('--status <status>', `only payments in this status: ${paymentStatuses.join(', ')}`)
    .option('--capturable', 'only capturable payments')
    .option('--from <time>', 'of orders created at this time or later: 2027-03-31, or a span such as 2h')
    .option('--to <time>', 'of orders created before this time')
    .option('--order-no <order_no>', 'only payments of this order')
    .option('--recurring-id <id>', 'only payments of this contract')
    .option(...limitOption)
    .option(...allOption)
    .action(async (_options: unknown, command: Command) => {
      const { out, options, client } = runOf(io, command, {
        status: z.enum(paymentStatuses).optional(),
        capturable: z.literal(true).optional(),
        from: momentBefore(io.now()).optional(),
        to: momentBefore(io.now()).optional(),
        orderNo: z.string().optional(),
        recurringId: z.string().optional(),
        ...listed,
      });
      const found = (await client()).payments.each({
        status: options.status,
        capturable: options.capturable,
        created_from: options.from?.toISOString(),
        created_to: options.to?.toISOString(),
        order_no: options.orderNo,
        recurring_id: options.recurringId,
        limit: pageSize(options),
      });
      await out.rows(someOf(found, options), columns);
    });
}

const columns: readonly Column<OrderPaymentAnswer>[] = [
  { name: 'TRANSACTION', cell: ({ transaction_id }) => transaction_id },
  { name: 'ORDER', cell: ({ order_no }) => order_no },
  { name: 'STATUS', cell: ({ status }) => status },
  { name: 'AMOUNT', cell: ({ amount, currency }) => `${amount} ${currency}` },
  { name: 'CAPTURABLE', cell: ({ capturable }) => capturable },
  { name: 'REFUNDABLE', cell: ({ refundable }) => refundable },
  { name: 'METHOD', cell: ({ method }) => method },
  { name: 'CARD', cell: ({ card }) => card },
  { name: 'PAID', cell: ({ paid_at }) => paid_at },
];

/** A payment as fields for people: its status and sums, then the operations on it, a line each. */
function paymentFields(payment: OrderPaymentAnswer): Record<string, string | undefined> {
  const { currency, gateway, settled, refund_undecided } = payment;
  const undecided = isZero(refund_undecided) ? '' : ` (${refund_undecided} more not known yet)`;
  return {
    payment: payment.transaction_id,
    order: payment.order_no,
    status: payment.status,
    amount: `${payment.amount} ${currency}`,
    captured: `${payment.captured} ${currency}`,
    capturable: `${payment.capturable} ${currency}`,
    refunded: `${payment.refunded} ${currency}${undecided}`,
    refundable: `${payment.refundable} ${currency}`,
    method: payment.method,
    card: payment.card,
    subscription: payment.recurring_id,
    paid: payment.paid_at,
    'known by': payment.proof,
    record: gateway && `${gateway.payment_status}, as of ${gateway.as_of}`,
    settled: settled && `as ${settled.outcome} by ${settled.by} at ${settled.at}: ${settled.note}`,
    ...Object.fromEntries(
      payment.operations.map(({ operation_id, operation, amount, outcome }, at) => [
        `operation ${at + 1}`,
        `${operation} ${operation_id}, ${amount} ${currency}: ${outcome}`,
      ]),
    ),
  };
}
