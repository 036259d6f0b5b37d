import { Command } from 'commander';
import { z } from 'zod';
import { operations } from '../../shared/gateway/operations.ts';
import { confirm } from '../base/ask.ts';
import { runOf } from '../base/cli.ts';
import type { ExitCode } from '../base/errors.ts';
import type { Io } from '../base/io.ts';
import { amount } from '../base/options.ts';
import { type BatchOperation, batchOperations } from './batch-operations.ts';
import { carryOut, report, textIn } from './carry-out.ts';
import { paymentOf } from './payment.ts';

/** `turnpike refund|capture|cancel|review`. */
export function batchCommands(io: Io, ends: (code: ExitCode) => void): Command[] {
  return batchOperations.map((operation) => batchCommand(operation, io, ends));
}

function batchCommand(operation: BatchOperation, io: Io, ends: (code: ExitCode) => void): Command {
  const command = new Command(operation.name)
    .description(operation.description)
    .argument('[order_no]', 'the order, unless --transaction tells it')
    .option('--transaction <id>', 'the payment, where the order has several');
  for (const [flags, description] of operation.options) command.option(flags, description);
  return command
    .option('--reference <name>', 'your own name of it: the relay does it once for that name, for good')
    .option('--idempotency-key <key>', 'the same key and options again: it is done once (a random key)')
    .option('--yes', 'do not ask')
    .addHelpText('after', ['', 'Examples:', ...operation.examples.map((line) => `  ${line}`)].join('\n'))
    .action(async (orderNo: string | undefined, _options: unknown, self: Command) => {
      const { out, options, client: connect } = runOf(io, self, shape);
      const { transaction, idempotencyKey } = options;
      const client = connect();
      const payment = await paymentOf(client, { orderNo, transaction }, operation);
      const { order_no, transaction_id, currency } = payment;
      const { does, amount: moved, send } = operation.prepare(payment, options);
      const paid = `${payment.amount} ${currency}`;
      await confirm(io, options, `Order ${order_no}, transaction ${transaction_id}, ${paid}: ${does}`);
      const hasAmount = operation.options.some(([flags]) => flags.startsWith('--amount'));
      const done = await carryOut({ io, out }, client, {
        key: idempotencyKey ?? crypto.randomUUID(),
        options: { '--transaction': transaction_id, ...(hasAmount ? { '--amount': moved } : {}) },
        send: (post) => send(client, post),
      });
      const { result } = done;
      const { settlement } = done.operation;
      ends(
        report(out, done, {
          refund:
            textIn(result, 'refund_reference_id') ??
            (settlement?.by === 'refund_search' ? settlement.refund_reference_ids[0] : undefined),
          amount: `${moved} ${currency}`,
          order: order_no,
          transaction: transaction_id,
          status: textIn(result, operations[operation.name].batch.status),
          message: textIn(result, operation.message),
        }),
      );
    });
}

const shape = {
  transaction: z.string().optional(),
  amount: amount.optional(),
  reason: z.string().optional(),
  reference: z.string().optional(),
  accept: z.literal(true).optional(),
  reject: z.literal(true).optional(),
  flag: z.string().optional(),
  idempotencyKey: z.string().optional(),
  yes: z.boolean().default(false),
};
