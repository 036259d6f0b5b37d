import { Command } from 'commander';
import { z } from 'zod';
import type { StatsFigures } from '../../client/index.ts';
import { runOf } from '../base/command.ts';
import type { Io } from '../base/io.ts';
import { momentBefore } from '../base/options.ts';
import type { Column } from '../base/output.ts';

/** `turnpike stats`. */
export function statsCommand(io: Io): Command {
  return new Command('stats')
    .option('--by <period>', 'hour, or day (default: day)')
    .option(
      '--from <time>',
      'from this hour or day on: 2027-03-31, or a span such as 7d (default: 30 days, or 24 hours)',
    )
    .option('--to <time>', 'until this time (default: now)')
    .option('--currency <code>', 'only payments and refunds in this currency')
    .addHelpText('after', '\nHours and days are in UTC. The key needs the scope console.')
    .action(async (_options: unknown, command: Command) => {
      const { out, options, client } = runOf(io, command, {
        by: z.enum(['hour', 'day'], 'must be hour or day').optional(),
        from: momentBefore(io.now()).optional(),
        to: momentBefore(io.now()).optional(),
        currency: z.string().optional(),
      });
      const stats = await (await client()).stats({
        by: options.by,
        from: options.from?.toISOString(),
        to: options.to?.toISOString(),
        currency: options.currency,
      });
      if (out.isJson) return out.record(stats, {});
      await out.rows([...stats.periods, { ...stats.total, start: 'total' }], columns);
    });
}

type Row = StatsFigures & { start: string };

const columns: readonly Column<Row>[] = [
  { name: 'FROM', cell: ({ start }) => start },
  { name: 'PAYMENTS', cell: ({ payments }) => String(payments) },
  { name: 'APPROVED', cell: ({ outcomes }) => String(outcomes.approved) },
  { name: 'DECLINED', cell: ({ outcomes }) => String(outcomes.declined) },
  { name: 'RATE', cell: ({ approval_rate: rate }) => (rate === undefined ? '' : `${(rate * 100).toFixed(1)} %`) },
  { name: 'GROSS', cell: ({ gross }) => sums(gross) },
  { name: 'NET', cell: ({ net }) => sums(net) },
  { name: 'REFUNDS', cell: ({ refunds }) => sums(refunds) },
];

function sums(all: StatsFigures['gross']): string {
  return all.map(({ amount, currency }) => `${amount} ${currency}`).join(', ');
}
