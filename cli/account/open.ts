import { Command } from 'commander';
import { z } from 'zod';
import { runOf } from '../base/command.ts';
import { UsageError } from '../base/errors.ts';
import type { Io } from '../base/io.ts';
import { addressOf } from '../base/settings.ts';

/** `turnpike open [console|docs|order ORDER]`. */
export function openCommand(io: Io): Command {
  return new Command('open')
    .argument('[page]', 'console, docs, or order', 'console')
    .argument('[order_no]', 'the order')
    .option('--account <id>', 'the account in the console (default: your first one)')
    .option('--print', 'print the address, and open nothing')
    .action(async (page: string, orderNo: string | undefined, _options: unknown, command: Command) => {
      const { out, options } = runOf(io, command, {
        account: z.string().optional(),
        print: z.boolean().default(false),
      });
      const url = `${addressOf(io, options).replace(/\/+$/, '')}${pathOf(page, orderNo, options.account)}`;
      out.record({ url }, { url });
      if (!options.print && io.out.isTerminal) await io.openInBrowser(url);
    });
}

function pathOf(page: string, orderNo: string | undefined, account: string | undefined): string {
  const inConsole = account === undefined ? '/console' : `/console/${encodeURIComponent(account)}`;
  if ((page === 'order') !== (orderNo !== undefined)) {
    throw new UsageError('An order is named as: turnpike open order ORDER_NO.');
  }
  switch (page) {
    case 'console':
      return inConsole;
    case 'docs':
      return '/docs';
    case 'order':
      return `${inConsole}/orders/${encodeURIComponent(orderNo ?? '')}`;
    default:
      throw new UsageError(`There is no page ${page}.`, 'Pages are console, docs and order.');
  }
}
