import { Command } from 'commander';
import { z } from 'zod';
import type { Call, Client, PostOptions } from '../../client/index.ts';
import { givenAmount, isMore, isZero } from '../../shared/gateway/amounts.ts';
import { operations } from '../../shared/gateway/operations.ts';
import { runOf } from '../base/command.ts';
import { CliError, EXIT, type ExitCode, UsageError } from '../base/errors.ts';
import type { Io } from '../base/io.ts';
import { amount, checked, once } from '../base/options.ts';
import { carryOut, textIn } from './carry-out.ts';
import { type Payment, paymentOf } from './payment.ts';

const shape = {
  transaction: z.string().optional(),
  amount: amount.optional(),
  reason: z.string().optional(),
  reference: z.string().optional(),
  accept: z.literal(true).optional(),
  reject: z.literal(true).optional(),
  flag: z.string().optional(),
  ...once,
};
/** The options besides the payment. Each command has those that apply to it. */
type PaymentOptions = z.output<z.ZodObject<typeof shape>>;

/** An operation on one payment, ready to be sent. */
type Prepared = {
  /** The description of the operation, for the confirmation. */
  does: string;
  /** Its amount. */
  amount: string;
  send(client: Client, options: PostOptions): Call<unknown>;
};

export type BatchName = 'refund' | 'capture' | 'cancel' | 'review';

/** One of the gateway's batch operations, used with a single item. */
type BatchOperation = {
  /** Whether it can be requested for a payment that is still pending. */
  pending: boolean;
  options: readonly (readonly [flags: string, description: string])[];
  examples: readonly string[];
  /** Throws UsageError or CliError if the operation cannot be sent. */
  prepare(payment: Payment, options: PaymentOptions): Prepared;
  /** The field of a result in which the gateway describes its outcome. */
  message: 'refund_message' | 'error_message';
};

/** The differences between the commands for refunds, captures, cancellations and reviews. */
const batchOperations: Readonly<Record<BatchName, BatchOperation>> = {
  refund: {
    pending: false,
    options: [
      ['--amount <amount>', 'give back so much (all that is refundable)'],
      ['--reason <text>', 'why, for the gateway’s records'],
    ],
    examples: [
      'turnpike refund A-1001',
      'turnpike refund A-1001 --amount 20.00 --reason "one cup broke"',
      'turnpike refund --transaction T-77 --yes --reference return-512',
    ],
    message: 'refund_message',
    prepare(payment, options) {
      const refund_amount = refundAmount(payment, options);
      const item = { ...itemOf(payment), refund_amount, refund_reason: options.reason };
      const body = checked(operations.refund.route.body, { refund_orders: [item], references: referencesIn(options) });
      const does = `${payment.refundable} refundable. Refund ${refund_amount} ${payment.currency}?`;
      return { does, amount: refund_amount, send: (client, options) => client.refund(body, options) };
    },
  },
  capture: {
    pending: true,
    options: [['--amount <amount>', 'take so much (all that is capturable)']],
    examples: ['turnpike capture A-1001', 'turnpike capture A-1001 --amount 100.00 --yes'],
    message: 'error_message',
    prepare(payment, options) {
      const amount = captureAmount(payment, options);
      const item = { ...itemOf(payment), amount };
      const body = checked(operations.capture.route.body, {
        capture_orders: [item],
        references: referencesIn(options),
      });
      const does = `${payment.captured} captured of the order. Capture ${amount} ${payment.currency}?`;
      return { does, amount, send: (client, options) => client.capture(body, options) };
    },
  },
  cancel: {
    pending: true,
    options: [],
    examples: ['turnpike cancel A-1001', 'turnpike cancel --transaction T-77 --yes'],
    message: 'error_message',
    prepare(payment, options) {
      const item = itemOf(payment);
      const body = checked(operations.cancel.route.body, { cancel_orders: [item], references: referencesIn(options) });
      return { does: 'Cancel it?', amount: item.amount, send: (client, options) => client.cancel(body, options) };
    },
  },
  review: {
    pending: true,
    options: [
      ['--accept', 'accept it: the review_flag ACCEPT'],
      ['--reject', 'reject it: the review_flag REJECT'],
      ['--flag <review_flag>', 'the decision in the words of a gateway that has others'],
    ],
    examples: ['turnpike review A-1001 --accept', 'turnpike review --transaction T-77 --reject --yes'],
    message: 'error_message',
    prepare(payment, options) {
      const item = { ...itemOf(payment), review_flag: reviewFlag(options) };
      const body = checked(operations.review.route.body, { review_orders: [item], references: referencesIn(options) });
      const does = `Review it with ${item.review_flag}?`;
      return { does, amount: item.amount, send: (client, options) => client.review(body, options) };
    },
  },
};

/** `turnpike refund|capture|cancel|review`. */
export function batchCommand(name: BatchName, io: Io, ends: (code: ExitCode) => void): Command {
  const operation = batchOperations[name];
  const command = new Command(name)
    .argument('[order_no]', 'the order, unless --transaction names it')
    .option('--transaction <id>', 'the payment, where the order has several');
  for (const [flags, description] of operation.options) command.option(flags, description);
  return command
    .option('--reference <name>', 'your own name of it: the relay does it once for that name, for good')
    .option('--idempotency-key <key>', 'the same key and options again: it is done once (a random key)')
    .option('--yes', 'do not ask')
    .addHelpText('after', ['', 'Examples:', ...operation.examples.map((line) => `  ${line}`)].join('\n'))
    .action(async (orderNo: string | undefined, _options: unknown, self: Command) => {
      const run = runOf(io, self, shape);
      const { transaction, idempotencyKey } = run.options;
      const client = await run.client();
      const payment = await paymentOf(client, { orderNo, transaction }, operation);
      const { order_no, transaction_id, currency } = payment;
      const { does, amount: moved, send } = operation.prepare(payment, run.options);
      const hasAmount = operation.options.some(([flags]) => flags.startsWith('--amount'));
      const code = await carryOut(run, client, {
        question: `Order ${order_no}, transaction ${transaction_id}, ${payment.amount} ${currency}: ${does}`,
        key: idempotencyKey ?? crypto.randomUUID(),
        options: { '--transaction': transaction_id, ...(hasAmount ? { '--amount': moved } : {}) },
        send: (post) => send(client, post),
        fields: ({ result, operation: { settlement } }) => ({
          refund:
            textIn(result, 'refund_reference_id') ??
            (settlement?.by === 'refund_search' ? settlement.refund_reference_ids[0] : undefined),
          amount: `${moved} ${currency}`,
          order: order_no,
          transaction: transaction_id,
          status: textIn(result, operations[name].batch.status),
          message: textIn(result, operation.message),
        }),
      });
      ends(code);
    });
}

function itemOf({ transaction_id, order_no, currency, amount }: Payment) {
  return { transaction_id, order_no, currency, amount };
}

function referencesIn({ reference }: PaymentOptions): string[] | undefined {
  return reference === undefined ? undefined : [reference];
}

/**
 * An amount with the decimals of the payment's currency. A text that is no amount of it stays unchanged, and the relay
 * refuses it.
 */
function written(amount: string | undefined, { currency }: Payment): string | undefined {
  if (amount === undefined) return undefined;
  const given = givenAmount(amount, currency);
  return 'written' in given ? given.written : amount;
}

/**
 * The requested amount. A repetition by an idempotency key needs the same amount, although the first try may have
 * reduced the rest. Throws UsageError if such a repetition has no amount.
 * @param left the word for the rest, which is the default amount
 */
function requestedAmount(
  payment: Payment,
  { amount, idempotencyKey }: PaymentOptions,
  left: string,
): string | undefined {
  if (idempotencyKey === undefined || amount !== undefined) return written(amount, payment);
  throw new UsageError(
    '--idempotency-key needs --amount.',
    `Without it, a repetition would ask for what is ${left} then, which is another request.`,
  );
}

/** If nothing is left, the request has the whole amount: the relay refuses it and names the reason. */
function captureAmount(payment: Payment, options: PaymentOptions): string {
  const { amount, capturable } = payment;
  return requestedAmount(payment, options, 'capturable') ?? (isZero(capturable) ? amount : capturable);
}

function refundAmount(payment: Payment, options: PaymentOptions): string {
  const { refundable, currency, order_no, transaction_id, isOver } = payment;
  const amount = requestedAmount(payment, options, 'refundable');
  if (options.idempotencyKey !== undefined && amount !== undefined) return amount;
  // The relay names the reason why nothing can be refunded.
  if (isOver && isZero(refundable)) return amount ?? payment.amount;
  if (isZero(refundable) || (amount !== undefined && isMore(amount, refundable))) {
    throw new CliError(
      'refund_exceeds_payment',
      `Transaction ${transaction_id} has ${refundable} ${currency} left to refund.`,
      {
        exitCode: EXIT.refused,
        hint: `Nothing was sent. Refunds that are not known yet count: turnpike orders get ${order_no}`,
      },
    );
  }
  return amount ?? refundable;
}

function reviewFlag({ accept, reject, flag }: PaymentOptions): string {
  const given = [accept ? 'ACCEPT' : undefined, reject ? 'REJECT' : undefined, flag].filter((one) => one !== undefined);
  const [only] = given;
  if (only !== undefined && given.length === 1) return only;
  throw new UsageError('Say one of --accept, --reject and --flag.');
}
