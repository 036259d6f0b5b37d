import { Command } from 'commander';
import { z } from 'zod';
import { operations } from '../../shared/gateway/operations.ts';
import type { OrderRecord } from '../../shared/gateway/query.ts';
import { checked } from '../base/checked.ts';
import { runOf } from '../base/cli.ts';
import type { Io } from '../base/io.ts';
import { list, momentBefore } from '../base/options.ts';
import type { Column } from '../base/output.ts';
import { ask, sayWhyEmpty } from './ask.ts';

/** `turnpike query`. */
export function queryCommand(io: Io): Command {
  return new Command('query')
    .description('ask the gateway itself about orders, transactions or a period')
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
      const { orders_list, ...envelope } = await ask(client().query(body));
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
