import { Command } from 'commander';
import { operations } from '../../shared/gateway/operations.ts';
import type { RefundRecord } from '../../shared/gateway/refund.ts';
import { runOf } from '../base/cli.ts';
import { UsageError } from '../base/errors.ts';
import type { Io } from '../base/io.ts';
import { checked, list } from '../base/options.ts';
import type { Column } from '../base/output.ts';
import { ask, sayWhyEmpty } from './query.ts';

/** `turnpike refunds search`. */
export function refundsCommand(io: Io): Command {
  const refunds = new Command('refunds').description('find refunds in the gateway’s records');

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
      const { refund_orders: found, ...envelope } = await ask(client().refundSearch(body));
      await out.rows(found ?? [], columns);
      if (!found?.length) sayWhyEmpty(io, out.isJson, envelope);
    });

  return refunds;
}

const columns: readonly Column<RefundRecord>[] = [
  { name: 'REFUND', cell: ({ refund_reference_id }) => refund_reference_id ?? undefined },
  { name: 'ORDER', cell: ({ order_no }) => order_no ?? undefined },
  { name: 'TRANSACTION', cell: ({ transaction_id }) => transaction_id ?? undefined },
  { name: 'AMOUNT', cell: ({ refund_amount, currency }) => `${refund_amount ?? ''} ${currency ?? ''}` },
  { name: 'REFUND_STATUS', cell: ({ refund_status }) => refund_status ?? undefined },
  { name: 'DATE', cell: ({ refund_date }) => refund_date ?? undefined },
  { name: 'PROCESSED', cell: ({ refund_processing_date }) => refund_processing_date ?? undefined },
  { name: 'REASON', cell: ({ refund_reason }) => refund_reason ?? undefined },
];
