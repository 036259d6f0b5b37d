import { Command } from 'commander';
import { z } from 'zod';
import { RelayAnswerUnusable, RelayUnreachable } from '../../client/index.ts';
import { operations } from '../../shared/gateway/operations.ts';
import type { OrderRecord } from '../../shared/gateway/query.ts';
import type { RefundRecord } from '../../shared/gateway/refund.ts';
import { runOf } from '../base/command.ts';
import { CliError, EXIT, noAnswerOf, UsageError } from '../base/errors.ts';
import type { Io } from '../base/io.ts';
import { checked, list, momentBefore } from '../base/options.ts';
import type { Column } from '../base/output.ts';

/** `turnpike query`. */
export function queryCommand(io: Io): Command {
  return new Command('query')
    .argument('[order_no...]', 'these orders')
    .option('--trades <transaction_ids>', 'these transactions, as T-1,T-2')
    .option('--from <time>', 'from then on: 2027-03-31T10:15:00Z, 2027-03-31, or a span such as 2h')
    .option('--to <time>', 'until then (now, with --from)')
    .option('--status <order_status>', 'of this status, in the gateway’s words')
    .option('--platform-source <name>', 'from this platform')
    .action(async (orders: string[], _options: unknown, self: Command) => {
      const { out, options, client } = runOf(io, self, {
        trades: list.optional(),
        from: momentBefore(io.now()).optional(),
        to: momentBefore(io.now()).optional(),
        status: z.string().optional(),
        platformSource: z.string().optional(),
      });
      const body = checked(operations.query.route.body, {
        orders: orders.length > 0 ? orders : undefined,
        trades: options.trades,
        order_status: options.status,
        platform_source: options.platformSource,
        query_start: options.from?.toISOString(),
        query_end: (options.to ?? (options.from && io.now()))?.toISOString(),
      });
      const { orders_list, ...envelope } = await ask((await client()).query(body));
      await out.rows(orders_list ?? [], columns);
      if (!orders_list?.length) sayWhyEmpty(io, out.isJson, envelope);
    });
}

const columns: readonly Column<OrderRecord>[] = [
  { name: 'ORDER', cell: ({ order_no }) => order_no ?? undefined },
  { name: 'TRANSACTION', cell: ({ transaction_id }) => transaction_id ?? undefined },
  { name: 'AMOUNT', cell: ({ amount, currency }) => `${amount ?? ''} ${currency ?? ''}` },
  { name: 'PAYMENT_STATUS', cell: ({ payment_status }) => payment_status ?? undefined },
  { name: 'DATE', cell: ({ transaction_date }) => transaction_date ?? undefined },
  { name: 'DECLINE_REASON', cell: ({ decline_reason }) => decline_reason ?? undefined },
];

/** Sends a POST that changes nothing. Throws CliError without an answer, because the request can simply be repeated. */
async function ask<Answer>(question: Promise<Answer>): Promise<Answer> {
  try {
    return await question;
  } catch (error) {
    if (!(error instanceof RelayUnreachable || error instanceof RelayAnswerUnusable)) throw error;
    const { what, next } = noAnswerOf(error);
    throw new CliError(error.code, what, {
      exitCode: EXIT.refused,
      hint: `A query changes nothing: repeat the command. ${next}`,
    });
  }
}

type Envelope = { return_status?: string | null | undefined; return_message?: string | null | undefined };

/** Prints the gateway's message for an empty list to standard error, because it may be the reason. */
function sayWhyEmpty(io: Io, isJson: boolean, { return_status, return_message }: Envelope): void {
  const said = { return_status: return_status ?? '', return_message: return_message ?? '' };
  const line = isJson ? JSON.stringify({ gateway: said }) : `The gateway said: ${Object.values(said).join(' ')}`;
  io.err.write(`${line}\n`);
}

/** `turnpike refunds search`. */
export function refundsCommand(io: Io): Command {
  const refunds = new Command('refunds');

  refunds
    .command('search')
    .description('ask the gateway itself about refunds')
    .argument('[order_no...]', 'of these orders (or transactions, where the gateway takes them)')
    .option('--references <ids>', 'by their refund_reference_id, as T-1-01,T-1-02')
    .option('--merchant-refunds <names>', 'by their refund_reference')
    .action(async (orders: string[], _options: unknown, self: Command) => {
      const { out, options, client } = runOf(io, self, {
        references: list.optional(),
        merchantRefunds: list.optional(),
      });
      const refund_orders = orders.length > 0 ? orders : undefined;
      const { references: refund_references, merchantRefunds: merchant_refunds } = options;
      if (!(refund_orders || refund_references || merchant_refunds)) {
        throw new UsageError('Say what to look for.', 'Name orders, or give --references or --merchant-refunds.');
      }
      const body = checked(operations.refund_search.route.body, { refund_orders, refund_references, merchant_refunds });
      const { refund_orders: found, ...envelope } = await ask((await client()).refundSearch(body));
      await out.rows(found ?? [], refundColumns);
      if (!found?.length) sayWhyEmpty(io, out.isJson, envelope);
    });

  return refunds;
}

const refundColumns: readonly Column<RefundRecord>[] = [
  { name: 'REFUND', cell: ({ refund_reference_id }) => refund_reference_id ?? undefined },
  { name: 'ORDER', cell: ({ order_no }) => order_no ?? undefined },
  { name: 'TRANSACTION', cell: ({ transaction_id }) => transaction_id ?? undefined },
  { name: 'AMOUNT', cell: ({ refund_amount, currency }) => `${refund_amount ?? ''} ${currency ?? ''}` },
  { name: 'REFUND_STATUS', cell: ({ refund_status }) => refund_status ?? undefined },
  { name: 'DATE', cell: ({ refund_date }) => refund_date ?? undefined },
  { name: 'PROCESSED', cell: ({ refund_processing_date }) => refund_processing_date ?? undefined },
  { name: 'REASON', cell: ({ refund_reason }) => refund_reason ?? undefined },
];
