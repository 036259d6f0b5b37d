import { Command } from 'commander';
import { z } from 'zod';
import { type EventAnswer, RelayAnswerUnusable, RelayUnreachable } from '../../client/index.ts';
import { deliveryStatuses, MAX_REDELIVERED } from '../../shared/api/event.ts';
import { eventTypes } from '../../shared/api/webhook.ts';
import { deliveryFault } from '../../shared/webhooks/delivery-fault.ts';
import { confirm, firstOf, pageSize, type Run, runOf, someOf } from '../base/command.ts';
import { CliError, EXIT, noAnswerOf, UsageError } from '../base/errors.ts';
import type { Io } from '../base/io.ts';
import { allOption, limitOption, listed, momentBefore } from '../base/options.ts';
import type { Column } from '../base/output.ts';
import { eventType } from '../webhooks/event-type.ts';

/** `turnpike events list|get|redeliver|acknowledge`. */
export function eventsCommand(io: Io): Command {
  const events = new Command('events');
  const type = ['--type <type>', `only events of this type: ${eventTypes.join(', ')}`] as const;
  const since = [
    '--since <time>',
    'created at this time or later: 2027-03-31T10:15:00Z, 2027-03-31, or a span such as 2h',
  ] as const;

  events
    .command('list')
    .description('list events, the newest first')
    .option('--status <status>', `only events in this state of delivery: ${deliveryStatuses.join(', ')}`)
    .option('--failed', 'only events that the relay gave up on, the same as --status failed')
    .option(...type)
    .option('--about <id>', 'only events about this session or operation')
    .option(...since)
    .option(...limitOption)
    .option(...allOption)
    .action(async (_options: unknown, command: Command) => {
      const { out, options, client } = runOf(io, command, {
        status: z.enum(deliveryStatuses).optional(),
        failed: z.literal(true).optional(),
        type: eventType.optional(),
        about: z.string().optional(),
        since: momentBefore(io.now()).optional(),
        ...listed,
      });
      const status = options.failed ? 'failed' : options.status;
      const found = (await client()).events.each({
        ...{ status, type: options.type, subject: options.about },
        limit: pageSize(options),
      });
      const recent = options.since ? madeSince(found, options.since) : found;
      await out.rows(someOf(recent, options), eventColumns);
    });

  events
    .command('get <event>')
    .description('show one event: its data, and the state of its delivery')
    .action(async (id: string, _options: unknown, command: Command) => {
      const { out, client } = runOf(io, command, {});
      const event = await (await client()).events.get(id);
      out.record(event, eventFields(event));
    });

  events
    .command('redeliver [events...]')
    .description('send events again: by their ids, or all that the relay gave up on')
    .option('--failed', 'all events that the relay gave up on')
    .option('--acknowledged', 'all failed events that were acknowledged')
    .option('--kept', 'all events that no endpoint wanted when they were written')
    .option(...type)
    .option(...since)
    .option('--yes', 'do not ask, however many there are')
    .action(async (ids: string[], _options: unknown, command: Command) => {
      await redeliver(runOf(io, command, redeliverShape(io)), ids);
    });

  events
    .command('acknowledge <events...>')
    .description('mark failed events as resolved, so that they no longer count as failed')
    .action(async (ids: string[], _options: unknown, command: Command) => {
      const { out, client } = runOf(io, command, {});
      const { events: api } = await client();
      for (const id of ids) {
        const event = await repeatable(() => api.acknowledge(id));
        out.record(event, { event: event.id, delivery: event.delivery.status });
      }
    });

  return events;
}

const eventColumns: readonly Column<EventAnswer>[] = [
  { name: 'EVENT', cell: ({ id }) => id },
  { name: 'TYPE', cell: ({ type }) => type },
  { name: 'ABOUT', cell: ({ subject }) => subject },
  { name: 'DELIVERY', cell: ({ delivery }) => delivery.status },
  { name: 'TRIES', cell: ({ delivery }) => String(delivery.tries) },
  { name: 'FAULT', cell: ({ delivery }) => deliveryFault(delivery) },
  { name: 'CREATED', cell: ({ created_at }) => created_at },
];

/** An event as fields for people. */
function eventFields(event: EventAnswer): Record<string, string | undefined> {
  const { id, type, subject, created_at, delivery, deliveries, data } = event;
  return {
    event: id,
    type,
    about: subject,
    created: created_at,
    ...(deliveries.length > 1
      ? Object.fromEntries(deliveries.map((one) => [`delivery to ${one.endpoint}`, deliveryText(one.delivery)]))
      : { delivery: deliveryText(delivery) }),
    fault: deliveryFault(delivery),
    'next try': delivery.status === 'pending' ? delivery.next_try_at : undefined,
    acknowledged: delivery.status === 'acknowledged' ? `${delivery.acknowledged_at} by ${delivery.by}` : undefined,
    data: JSON.stringify(data),
  };
}

function deliveryText({ status, tries }: EventAnswer['delivery']): string {
  return `${status} after ${tries} ${tries === 1 ? 'try' : 'tries'}`;
}

/** The number of events from which the person must confirm. */
const MANY = 10;

/** The maximum number that is counted before the question. */
const MAX_COUNTED = 1000;

/** Events that can be sent again by their state. */
const bulkStatuses = ['failed', 'acknowledged', 'kept'] as const;
type BulkStatus = (typeof bulkStatuses)[number];

const redeliverShape = (io: Io) => ({
  failed: z.boolean().default(false),
  acknowledged: z.boolean().default(false),
  kept: z.boolean().default(false),
  type: eventType.optional(),
  since: momentBefore(io.now()).optional(),
  yes: z.boolean().default(false),
});
type Options = z.output<z.ZodObject<ReturnType<typeof redeliverShape>>>;

/** Sends events again: those with these ids, or those that the filter finds, page by page. Throws CliError. */
async function redeliver(run: Run<Options>, ids: readonly string[]): Promise<void> {
  const { out, options } = run;
  const filters = bulkStatuses.filter((status) => options[status]);
  const [status] = filters;
  if ((status !== undefined) === ids.length > 0 || filters.length > 1) {
    throw new UsageError(
      'Name events, or give --failed, --acknowledged or --kept.',
      'Find them with turnpike events list --failed.',
    );
  }
  if (!status && (options.type !== undefined || options.since)) {
    throw new UsageError('--type and --since go with --failed, --acknowledged or --kept, not with ids.');
  }
  const sent = status ? await byFilter(run, status) : await byIds(run, ids);
  out.record({ redelivered: sent }, { 'sent again': String(sent) });
}

async function byIds({ io, options, client }: Run<Options>, ids: readonly string[]): Promise<number> {
  const { events } = await client();
  if (ids.length >= MANY) await confirm(io, options, `Send ${ids.length} events again?`);
  let sent = 0;
  for (let at = 0; at < ids.length; at += MAX_REDELIVERED) {
    const some = ids.slice(at, at + MAX_REDELIVERED);
    sent += (await repeatable(() => events.redeliverMany({ ids: some }))).redelivered;
  }
  return sent;
}

async function byFilter({ io, options, client }: Run<Options>, status: BulkStatus): Promise<number> {
  const { events } = await client();
  const { type, since } = options;
  if (!options.yes) {
    const found = events.each({ status, type, limit: 100 });
    const many = await count(firstOf(since ? madeSince(found, since) : found, MAX_COUNTED + 1));
    if (many >= MANY)
      await confirm(io, options, `Send ${many > MAX_COUNTED ? `more than ${MAX_COUNTED}` : many} events again?`);
  }
  let sent = 0;
  for (let after: string | undefined; ; ) {
    const page = await repeatable(() => events.redeliverMany({ status, type, since: since?.toISOString(), after }));
    sent += page.redelivered;
    if (page.next === undefined) return sent;
    after = page.next;
  }
}

async function count(items: AsyncIterable<unknown>): Promise<number> {
  let counted = 0;
  for await (const _ of items) counted += 1;
  return counted;
}

/** The entries that were created at or after a time, of a list with the newest first. */
async function* madeSince(events: AsyncIterable<EventAnswer>, since: Date): AsyncGenerator<EventAnswer> {
  for await (const event of events) {
    if (Date.parse(event.created_at) < since.getTime()) return;
    yield event;
  }
}

/** Sends a request to the relay that may be repeated. Throws CliError if no answer came. */
async function repeatable<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof RelayUnreachable || error instanceof RelayAnswerUnusable)) throw error;
    throw new CliError(error.code, `${noAnswerOf(error).what} The request may have been carried out.`, {
      exitCode: EXIT.unknown,
      hint: 'Repeat the command. It does not change events that are already waiting to be sent.',
    });
  }
}
