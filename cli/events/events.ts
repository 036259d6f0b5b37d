import { Command } from 'commander';
import { z } from 'zod';
import type { EventAnswer } from '../../client/index.ts';
import { deliveryStatuses, eventTypes } from '../../shared/api/event.ts';
import { deliveryFault } from '../../shared/webhooks/delivery-fault.ts';
import { runOf } from '../base/cli.ts';
import { firstOf } from '../base/first-of.ts';
import type { Io } from '../base/io.ts';
import { eventType, momentBefore, wholeNumber } from '../base/options.ts';
import type { Column } from '../base/output.ts';
import { madeSince, redeliver, repeatable } from './redeliver.ts';

/** `turnpike events list|get|redeliver|acknowledge`. */
export function eventsCommand(io: Io): Command {
  const events = new Command('events').description('list the events for the shop, and send them again');
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
    .option('--limit <count>', 'list at most this many (default: 20)')
    .option('--all', 'list all of them')
    .action(async (_options: unknown, command: Command) => {
      const { out, options, client } = runOf(io, command, {
        status: z.enum(deliveryStatuses).optional(),
        failed: z.literal(true).optional(),
        type: eventType.optional(),
        about: z.string().optional(),
        since: momentBefore(io.now()).optional(),
        limit: wholeNumber(1, 1_000_000).default(20),
        all: z.boolean().default(false),
      });
      const status = options.failed ? 'failed' : options.status;
      const found = client().events.each({
        ...(status && { status }),
        ...(options.type !== undefined && { type: options.type }),
        ...(options.about !== undefined && { subject: options.about }),
        limit: options.all ? 100 : Math.min(options.limit, 100),
      });
      const recent = options.since ? madeSince(found, options.since) : found;
      await out.rows(options.all ? recent : firstOf(recent, options.limit), eventColumns);
    });

  events
    .command('get <event>')
    .description('show one event: its data, and the state of its delivery')
    .action(async (id: string, _options: unknown, command: Command) => {
      const { out, client } = runOf(io, command, {});
      const event = await client().events.get(id);
      out.record(event, eventFields(event));
    });

  events
    .command('redeliver [events...]')
    .description('send events again: by their ids, or all that the relay gave up on')
    .option('--failed', 'all events that the relay gave up on')
    .option('--acknowledged', 'all failed events that were acknowledged')
    .option(...type)
    .option(...since)
    .option('--yes', 'do not ask, however many there are')
    .action(async (ids: string[], _options: unknown, command: Command) => {
      const run = runOf(io, command, {
        failed: z.boolean().default(false),
        acknowledged: z.boolean().default(false),
        type: eventType.optional(),
        since: momentBefore(io.now()).optional(),
        yes: z.boolean().default(false),
      });
      await redeliver(run, ids);
    });

  events
    .command('acknowledge <events...>')
    .description('mark failed events as dealt with, so that they no longer count as failed')
    .action(async (ids: string[], _options: unknown, command: Command) => {
      const { out, client } = runOf(io, command, {});
      const { events: api } = client();
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
function eventFields({
  id,
  type,
  subject,
  created_at,
  delivery,
  data,
}: EventAnswer): Record<string, string | undefined> {
  return {
    event: id,
    type,
    about: subject,
    created: created_at,
    delivery: `${delivery.status} after ${delivery.tries} ${delivery.tries === 1 ? 'try' : 'tries'}`,
    fault: deliveryFault(delivery),
    'next try': delivery.status === 'pending' ? delivery.next_try_at : undefined,
    acknowledged: delivery.status === 'acknowledged' ? `${delivery.acknowledged_at} by ${delivery.by}` : undefined,
    data: JSON.stringify(data),
  };
}
