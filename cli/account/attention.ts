import { Command } from 'commander';
import { z } from 'zod';
import type { AttentionCase, AttentionGroup } from '../../client/index.ts';
import { runOf } from '../base/command.ts';
import type { Io } from '../base/io.ts';
import type { Column } from '../base/output.ts';

/** Kinds that need no person yet: the relay queries the gateway, or the shopper still has to pay. */
const waiting: readonly string[] = ['order_asked', 'operation_asked', 'order_pending'];

/** `turnpike attention`. */
export function attentionCommand(io: Io): Command {
  return new Command('attention')
    .option('--all', 'also list what waits for the gateway or a shopper')
    .addHelpText(
      'after',
      '\nThe relay names at most 20 cases of a kind, the oldest first. The key needs the scope console.',
    )
    .action(async (_options: unknown, command: Command) => {
      const { out, options, client } = runOf(io, command, { all: z.boolean().default(false) });
      const { groups } = await (await client()).attention();
      const shown = groups.filter(({ kind }) => options.all || !waiting.includes(kind));
      const rows = shown.flatMap(({ kind, cases }) => cases.map((one) => ({ kind, ...one })));
      await out.rows(rows, columns);
      for (const group of shown) {
        if (group.count > group.cases.length) out.say(moreOf(group));
      }
    });
}

type Row = AttentionCase & Pick<AttentionGroup, 'kind'>;

const columns: readonly Column<Row>[] = [
  { name: 'KIND', cell: ({ kind }) => kind },
  { name: 'ABOUT', cell: aboutOf },
  { name: 'AMOUNT', cell: ({ amount, currency }) => amount && `${amount} ${currency}` },
  { name: 'WHY', cell: ({ why }) => why },
  { name: 'SINCE', cell: ({ since }) => since },
  { name: 'NEXT', cell: nextOf },
];

function aboutOf(one: Row): string | undefined {
  return one.order_no ?? one.operation_id ?? one.recurring_id ?? one.event_id ?? one.approval_id ?? one.transaction_id;
}

/** The command that shows the case. */
function nextOf(one: Row): string | undefined {
  if (one.operation_id !== undefined) return `turnpike operations get ${one.operation_id}`;
  if (one.event_id !== undefined) return `turnpike events get ${one.event_id}`;
  if (one.recurring_id !== undefined) return `turnpike subscriptions get ${one.recurring_id}`;
  return one.order_no === undefined ? undefined : `turnpike orders get ${one.order_no}`;
}

function moreOf({ kind, count, more, cases }: AttentionGroup): string {
  return `${kind}: ${count}${more ? ' or more' : ''} in all, the oldest ${cases.length} are listed.`;
}
