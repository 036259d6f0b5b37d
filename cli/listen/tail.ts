import { Command } from 'commander';
import { createClient, type EventAnswer } from '../../client/index.ts';
import { deliveryFault } from '../../shared/webhooks/delivery-fault.ts';
import { type Run, runOf } from '../base/command.ts';
import type { Io } from '../base/io.ts';
import { momentBefore } from '../base/options.ts';
import { plain } from '../base/output.ts';
import { accessOf } from '../base/settings.ts';
import { eventTypeList } from '../webhooks/event-type.ts';
import { createFeed } from './feed.ts';
import { createLooker, either, LOOK_MS } from './looker.ts';

/** `turnpike logs tail`. */
export function logsCommand(io: Io): Command {
  const logs = new Command('logs');
  logs
    .command('tail')
    .description('print new events as the relay writes them, until Ctrl-C')
    .option('--since <time>', 'start with the events since then: a span such as 2h, or 2027-03-31 (default: now)')
    .option('--events <types>', 'only events of these types, such as session.approved,operation.completed')
    .addHelpText('after', '\nThe key needs the scope events.')
    .action(async (_options: unknown, command: Command) => {
      const shape = { since: momentBefore(io.now()).optional(), events: eventTypeList.optional() };
      await tail(runOf(io, command, shape));
    });
  return logs;
}

async function tail({ io, out, options }: Run<{ since?: Date; events?: readonly string[] }>): Promise<void> {
  const access = accessOf(io, options);
  const stopping = new AbortController();
  const ignore = io.onInterrupt(() => stopping.abort());
  const { events } = createClient({
    ...access,
    // A look that fails is repeated by the next one.
    fetch: (address, init) => io.fetch(address, { ...init, signal: either(init.signal, stopping.signal) }),
    wait: (ms) => io.wait(ms, stopping.signal),
    tries: 1,
  });
  const feed = createFeed(events.list, () => io.now().getTime(), options.since);
  const looker = createLooker(out, feed, access.url, `Events of ${access.url}, until Ctrl-C:`);
  try {
    while (!stopping.signal.aborted) {
      for (const event of await looker.look(stopping.signal)) {
        if (options.events?.includes(event.type) ?? true) {
          io.out.write(`${out.isJson ? JSON.stringify(event) : plain(lineOf(event))}\n`);
        }
      }
      await io.wait(looker.pauseMs(LOOK_MS), stopping.signal);
    }
  } finally {
    ignore();
  }
}

/** An event in one line. */
function lineOf(event: EventAnswer): string {
  const { created_at, type, subject, id, delivery, data } = event;
  const order = 'order_no' in data && data.order_no !== undefined ? `order ${data.order_no}` : undefined;
  return [created_at, type, subject, order, id, delivery.status, deliveryFault(delivery)].filter(Boolean).join('  ');
}
