import { Command, Option } from 'commander';
import { z } from 'zod';
import { createClient, type EventAnswer, type RequestEntry } from '../../client/index.ts';
import { deliveryFault } from '../../shared/webhooks/delivery-fault.ts';
import { type Run, runOf } from '../base/command.ts';
import type { Io } from '../base/io.ts';
import { momentBefore } from '../base/options.ts';
import { plain } from '../base/output.ts';
import { accessOf } from '../base/settings.ts';
import { eventTypeList } from '../webhooks/event-type.ts';
import { createFeed, eventsIn, requestsIn, type Source } from './feed.ts';
import { createPoller, either, NO_EVENTS, POLL_MS } from './poller.ts';

/** `turnpike logs tail`. */
export function logsCommand(io: Io): Command {
  const logs = new Command('logs');
  logs
    .command('tail')
    .description('print new events, or requests, as the relay writes them, until Ctrl-C')
    .option('--since <time>', 'start with those since then: a span such as 2h, or 2027-03-31 (default: now)')
    .option('--events <types>', 'only events of these types, such as session.approved,operation.completed')
    .addOption(new Option('--requests', 'the requests of API keys instead of events').conflicts('events'))
    .addHelpText('after', '\nThe key needs the scope events, for --requests the scope console.')
    .action(async (_options: unknown, command: Command) => {
      const shape = {
        since: momentBefore(io.now()).optional(),
        events: eventTypeList.optional(),
        requests: z.boolean().default(false),
      };
      await tail(runOf(io, command, shape));
    });
  return logs;
}

const NO_REQUESTS =
  'The relay keeps no request of this account yet. It keeps none while its request_log_days is 0 in its configuration.';

type Options = { since?: Date; events?: readonly string[]; requests: boolean };

async function tail(run: Run<Options>): Promise<void> {
  const { io, options } = run;
  const access = accessOf(io, options);
  const stopping = new AbortController();
  const ignore = io.onInterrupt(() => stopping.abort());
  const { events, requests } = createClient({
    ...access,
    // The next read repeats a failed one.
    fetch: (address, init) => io.fetch(address, { ...init, signal: either(init.signal, stopping.signal) }),
    wait: (ms) => io.wait(ms, stopping.signal),
    tries: 1,
  });
  const tailed: Tailed = { run, url: access.url, stopping: stopping.signal };
  try {
    if (options.requests) {
      const says = { begins: 'Requests', isEmpty: NO_REQUESTS };
      await print(tailed, requestsIn(requests.list), says, requestLine);
    } else {
      const isWanted = ({ type }: EventAnswer): boolean => options.events?.includes(type) ?? true;
      const says = { begins: 'Events', isEmpty: NO_EVENTS };
      await print(tailed, eventsIn(events.list), says, (event) => (isWanted(event) ? eventLine(event) : undefined));
    }
  } finally {
    ignore();
  }
}

type Tailed = { run: Run<Options>; url: string; stopping: AbortSignal };

/**
 * Prints new entries until it is stopped.
 * @param lineOf returns an entry in one line; undefined for an entry to leave out
 */
async function print<Entry extends { id: string }>(
  { run: { io, out, options }, url, stopping }: Tailed,
  source: Source<Entry>,
  { begins, isEmpty }: { begins: string; isEmpty: string },
  lineOf: (entry: Entry) => string | undefined,
): Promise<void> {
  const feed = createFeed(source, () => io.now().getTime(), options.since);
  const poller = createPoller(out, feed, url, { begins: `${begins} of ${url}, until Ctrl-C:`, isEmpty });
  while (!stopping.aborted) {
    for (const entry of await poller.poll(stopping)) {
      const line = lineOf(entry);
      if (line !== undefined) io.out.write(`${out.isJson ? JSON.stringify(entry) : plain(line)}\n`);
    }
    await io.wait(poller.pauseMs(POLL_MS), stopping);
  }
}

/** An event in one line. */
function eventLine(event: EventAnswer): string {
  const { created_at, type, subject, id, delivery, data } = event;
  const order = 'order_no' in data && data.order_no !== undefined ? `order ${data.order_no}` : undefined;
  return [created_at, type, subject, order, id, delivery.status, deliveryFault(delivery)].filter(Boolean).join('  ');
}

/** A request in one line. */
function requestLine({ at, status, method, path, problem, idempotency, key, duration_ms, request_id }: RequestEntry) {
  const outcome = status === undefined ? 'no answer' : String(status);
  const isReplayed = idempotency === 'replayed' && 'replayed';
  const told = [at, outcome, `${method} ${path}`, problem, isReplayed, key, `${duration_ms} ms`, request_id];
  return told.filter(Boolean).join('  ');
}
