import { Command } from 'commander';
import { z } from 'zod';
import type { OperationAnswer, OperationSummary } from '../../client/index.ts';
import { operationStatuses, settleBody } from '../../shared/api/operation.ts';
import { isObject } from '../../shared/checkout/is-object.ts';
import { effectNames, type Operation, operations } from '../../shared/gateway/operations.ts';
import { confirm, pageSize, runOf, someOf } from '../base/command.ts';
import type { Io } from '../base/io.ts';
import { allOption, checked, limitOption, list, listed, momentBefore, once } from '../base/options.ts';
import type { Column } from '../base/output.ts';

/** `turnpike operations list|get|settle`. */
export function operationsCommand(io: Io): Command {
  const operations = new Command('operations');

  operations
    .command('list')
    .description('list operations, the newest first')
    .option('--operation <name>', `only operations of this name: ${effectNames.join(', ')}`)
    .option('--status <status>', `only operations in this status: ${operationStatuses.join(', ')}`)
    .option('--needs-attention', 'only operations that a person must look up and settle')
    .option('--from <time>', 'that began at this time or later: 2027-03-31T10:15:00Z, 2027-03-31, or a span such as 2h')
    .option('--to <time>', 'that began before this time')
    .option(...limitOption)
    .option(...allOption)
    .action(async (_options: unknown, self: Command) => {
      const { out, options, client } = runOf(io, self, {
        operation: z.enum(effectNames).optional(),
        status: z.enum(operationStatuses).optional(),
        needsAttention: z.literal(true).optional(),
        from: momentBefore(io.now()).optional(),
        to: momentBefore(io.now()).optional(),
        ...listed,
      });
      const found = (await client()).operations.each({
        operation: options.operation,
        status: options.status,
        needs_attention: options.needsAttention,
        created_from: options.from?.toISOString(),
        created_to: options.to?.toISOString(),
        limit: pageSize(options),
      });
      await out.rows(someOf(found, options), columns);
    });

  operations
    .command('get <operation_id>')
    .description('show an operation, the outcome of each item, and what to do next')
    .action(async (id: string, _options: unknown, self: Command) => {
      const { out, client } = runOf(io, self, {});
      const operation = await (await client()).operations.get(id);
      out.record(operation, operationFields(operation));
      const next = nextStep(operation);
      if (next !== undefined) out.say(next);
    });

  operations
    .command('settle <operation_id>')
    .description('state an unknown outcome of an operation, after a look at the gateway’s records')
    .requiredOption('--outcome <outcome>', 'succeeded, or failed: of all items that are not known')
    .option('--items <outcomes>', 'of each item, where they differ: succeeded,failed,failed')
    .option('--note <text>', 'how you know')
    .option('--idempotency-key <key>', 'the same key and options again: it is done once (a random key)')
    .option('--yes', 'do not ask')
    .action(async (id: string, _options: unknown, self: Command) => {
      const run = runOf(io, self, {
        outcome: z.enum(['succeeded', 'failed']),
        items: list.optional(),
        note: z.string().optional(),
        ...once,
      });
      const { outcome, items, note, idempotencyKey } = run.options;
      const body = checked(settleBody, { outcome, items, note });
      const client = await run.client();
      await confirm(
        io,
        run.options,
        `Settle ${id} as ${items?.join(', ') ?? outcome}? The relay will act on this decision.`,
      );
      const settled = await client.operations.settle(id, body, { idempotencyKey });
      run.out.record(settled, operationFields(settled));
    });

  return operations;
}

const columns: readonly Column<OperationSummary>[] = [
  { name: 'OPERATION', cell: ({ id }) => id },
  { name: 'DOES', cell: ({ operation }) => operation },
  { name: 'STATUS', cell: ({ status, unknown }) => (unknown?.needs_attention ? `${status} !` : status) },
  { name: 'ITEMS', cell: ({ items = [] }) => counts(items) },
  { name: 'BY', cell: ({ by }) => by },
  { name: 'CREATED', cell: ({ created_at }) => created_at },
];

/** The number of items with each outcome, such as `49 succeeded, 1 failed`. */
function counts(outcomes: readonly string[]): string {
  return [...new Set(outcomes)]
    .map((outcome) => `${outcomes.filter((one) => one === outcome).length} ${outcome}`)
    .join(', ');
}

/** An operation as fields for people: its status, then its items, a line each. */
function operationFields(kept: OperationAnswer): Record<string, string | undefined> {
  const { id, operation, status, created_at, by, settled_at, unknown, settlement } = kept;
  return {
    operation: id,
    does: operation,
    status,
    created: created_at,
    by,
    settled: settled_at,
    'settled by': settlement && (settlement.by === 'person' ? settlement.who : 'a refund search'),
    note: settlement?.by === 'person' ? settlement.note : undefined,
    unknown: unknown && `${unknown.reason}, since ${unknown.since}`,
    'last search': unknown?.last_query && `${unknown.last_query.found}, at ${unknown.last_query.at}`,
    ...Object.fromEntries(itemLines(kept).map((line, at) => [`item ${at + 1}`, line])),
  };
}

/** The names and the amount of an item. */
const named = ['order_no', 'transaction_id', 'recurring_id', 'request_id'];

function itemLines({ operation, request, items = [], references = [] }: OperationAnswer): string[] {
  const { batch }: Operation = operations[operation];
  const asked: unknown = batch ? request[batch.list] : [request];
  return (Array.isArray(asked) ? asked : []).map((item: unknown, at) => {
    const fields = isObject(item) ? item : {};
    const amount = fields.refund_amount ?? fields.amount ?? fields.payment_amount ?? fields.source_amount;
    const currency = fields.currency ?? fields.payment_currency ?? fields.source_currency;
    return [items[at] ?? 'not known', references[at], ...named.map((name) => fields[name]), amount, currency]
      .filter((word) => typeof word === 'string')
      .join(' ');
  });
}

/** The advice for an operation while an item of it is unknown. */
export function nextStep({ id, operation, status, items, answer, unknown }: OperationAnswer): string | undefined {
  const isKnown = items !== undefined && !items.includes('unknown');
  if (isKnown || status === 'not_sent' || (status === 'refused' && !unknown)) return undefined;
  const look = `turnpike operations get ${id}`;
  if (status === 'in_flight') return `It is still running. Look again in a moment: ${look}`;
  if (operation === 'payout' && answer) {
    return `The payout is on its way. See its progress: ${look}`;
  }
  if (unknown?.next_query_at !== undefined) {
    return `The relay asks the gateway again at ${unknown.next_query_at}. Look then: ${look}`;
  }
  return `Nothing is sent again. Look up its outcome at the gateway, then tell the relay: turnpike operations settle ${id} --outcome succeeded (or failed)`;
}
