import { Command } from 'commander';
import { z } from 'zod';
import { createClient, type EventAnswer } from '../../client/index.ts';
import type { EventType } from '../../shared/api/webhook.ts';
import { webhookBody } from '../../shared/webhooks/signing.ts';
import { type Run, runOf } from '../base/command.ts';
import type { Io } from '../base/io.ts';
import { momentBefore } from '../base/options.ts';
import type { Output } from '../base/output.ts';
import { accessOf } from '../base/settings.ts';
import { eventTypeList } from '../webhooks/event-type.ts';
import {
  givenSecret,
  newSecret,
  printTry,
  SECRET_VARIABLE,
  type Tried,
  target,
  warnOfPlainHttp,
} from '../webhooks/post.ts';
import { createFeed, eventsIn } from './feed.ts';
import { createForwarder, type Forwarded, type Next } from './forwarder.ts';
import { createPoller, either, NO_EVENTS, POLL_MS } from './poller.ts';

/** `turnpike listen`. */
export function listenCommand(io: Io): Command {
  return new Command('listen')
    .requiredOption('--forward-to <url>', 'the shop’s receiver, such as http://localhost:3000/hooks?x=1')
    .option(
      '--since <time>',
      'start with the events since then: a span such as 2h, or 2027-03-31T10:15:00Z (default: now)',
    )
    .option('--events <types>', 'only events of these types, such as session.approved,operation.completed')
    .option(
      '--secret-file <file>',
      `a file with the secret to sign with (default: ${SECRET_VARIABLE}, or else a new one)`,
    )
    .addHelpText('after', '\nThe key needs the scope events. The account needs a webhook in the relay’s configuration.')
    .action(async (_options: unknown, command: Command) => {
      await listen(
        runOf(io, command, {
          forwardTo: target,
          since: momentBefore(io.now()).optional(),
          events: eventTypeList.optional(),
          secretFile: z.string().optional(),
        }),
      );
    });
}

type Options = { forwardTo: string; since?: Date; events?: EventType[]; secretFile?: string };

async function listen({ io, out, options }: Run<Options>): Promise<void> {
  const { forwardTo: url, since, events: types } = options;
  const access = accessOf(io, options);
  const secret = givenSecret(io, options.secretFile) ?? freshSecret(io, out);
  warnOfPlainHttp(out, url);

  const [stopping, cutting] = [new AbortController(), new AbortController()];
  const ignore = io.onInterrupt(() => {
    if (stopping.signal.aborted) return cutting.abort();
    stopping.abort();
    if (forwarder.isSending()) out.say('Waiting for the shop’s answer. Ctrl-C again ends at once.');
  });
  const { events } = createClient({
    ...access,
    // The running requests end with the command. The next read repeats a failed one.
    fetch: (address, init) => io.fetch(address, { ...init, signal: either(init.signal, stopping.signal) }),
    wait: (ms) => io.wait(ms, stopping.signal),
    tries: 1,
  });
  const began = io.now();
  const feed = createFeed(eventsIn(events.list), () => io.now().getTime(), since);
  const poller = createPoller(out, feed, access.url, {
    begins: `Listening. Events of ${access.url} are forwarded to ${url} until Ctrl-C.`,
    isEmpty: NO_EVENTS,
  });
  const forwarder = createForwarder(io, { url, secret }, teller(io, out, url));
  try {
    while (!stopping.signal.aborted) {
      if (forwarder.downForMs() === undefined) {
        const found = await poller.poll(stopping.signal);
        forwarder.add(found.filter(({ type }) => types?.some((one) => one === type) ?? true).map(forwarded));
      }
      await forwarder.forward(stopping.signal, cutting.signal);
      await io.wait(forwarder.downForMs() ?? poller.pauseMs(POLL_MS), stopping.signal);
    }
  } finally {
    ignore();
  }
  const [oldest] = forwarder.waiting();
  const goOn = oldest?.created_at ?? feed.newest() ?? (since ?? began).toISOString();
  const left = forwarder.waiting().length;
  out.say(
    `${count(forwarder.delivered())} forwarded${left > 0 ? `, ${left} not yet` : ''}. Continue with --since ${goOn}`,
  );
}

function forwarded({ id, type, subject, created_at, data }: EventAnswer): Forwarded {
  return { id, type, subject, created_at, body: webhookBody(type, created_at, data) };
}

/** Creates a secret, and prints once how the shop gets it. */
function freshSecret(io: Io, out: Output): string {
  const secret = newSecret();
  if (out.isJson) io.err.write(`${JSON.stringify({ webhook_secret: secret })}\n`);
  out.say('Events are signed with a new secret. Put it into the shop’s environment, and start the shop with it:');
  out.say(`${SECRET_VARIABLE}=${secret}`);
  return secret;
}

/** Prints each try, and prints once that the shop is down and once that it is back. */
function teller(io: Io, out: Output, url: string): (event: Forwarded, tried: Tried, next: Next) => void {
  let isDown = false;
  return (event, tried, next) => {
    const wasDown = isDown;
    isDown = next.kind === 'down';
    if (wasDown && !isDown && next.kind !== 'stopped') out.say('The shop answers again.');
    // With --json each try is a line; without it, repeated lines are left out.
    if (!(wasDown && isDown) || out.isJson) printTry({ io, out }, event, tried, noteOf(next));
    if (isDown && !wasDown) {
      const { origin } = new URL(url);
      out.say(`The shop at ${origin} gives no answer. Events wait in their order until it does.`);
    }
  };
}

function noteOf(next: Next): string {
  switch (next.kind) {
    case 'again':
      return `again in ${next.inMs / 1000} s`;
    case 'gone':
      return 'given up: 410 for a day';
    case 'delivered':
    case 'down':
    case 'stopped':
      return '';
  }
}

function count(events: number): string {
  return events === 1 ? '1 event' : `${events} events`;
}
