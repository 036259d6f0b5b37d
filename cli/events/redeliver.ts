import { type EventAnswer, RelayAnswerUnusable, RelayUnreachable } from '../../client/index.ts';
import { type EventType, MAX_REDELIVERED } from '../../shared/api/event.ts';
import { confirm } from '../base/ask.ts';
import type { Run } from '../base/cli.ts';
import { CliError, EXIT, UsageError } from '../base/errors.ts';
import { firstOf } from '../base/first-of.ts';

/** From so many on a person is asked first. */
const MANY = 10;

/** How far they are counted before. */
const MAX_COUNTED = 1000;

type Options = {
  failed: boolean;
  acknowledged: boolean;
  type?: EventType | undefined;
  since?: Date | undefined;
  yes: boolean;
};

/** Sends events again: those with these ids, or those that the filter finds, page by page. Throws CliError. */
export async function redeliver(run: Run<Options>, ids: readonly string[]): Promise<void> {
  const { out, options } = run;
  const isFilter = options.failed || options.acknowledged;
  if (isFilter === ids.length > 0 || (options.failed && options.acknowledged)) {
    throw new UsageError(
      'Name events, or give --failed or --acknowledged.',
      'Find them with turnpike events list --failed.',
    );
  }
  if (!isFilter && (options.type !== undefined || options.since)) {
    throw new UsageError('--type and --since go with --failed or --acknowledged, not with ids.');
  }
  const sent = isFilter ? await byFilter(run) : await byIds(run, ids);
  out.record({ redelivered: sent }, { 'sent again': String(sent) });
}

async function byIds({ io, options, client }: Run<Options>, ids: readonly string[]): Promise<number> {
  const { events } = client();
  if (ids.length >= MANY) await confirm(io, options, `Send ${ids.length} events again?`);
  let sent = 0;
  for (let at = 0; at < ids.length; at += MAX_REDELIVERED) {
    const some = ids.slice(at, at + MAX_REDELIVERED);
    sent += (await repeatable(() => events.redeliverMany({ ids: some }))).redelivered;
  }
  return sent;
}

async function byFilter({ io, options, client }: Run<Options>): Promise<number> {
  const { events } = client();
  const status = options.failed ? 'failed' : 'acknowledged';
  const { type, since } = options;
  if (!options.yes) {
    const found = events.each({ status, ...(type !== undefined && { type }), limit: 100 });
    const many = await count(firstOf(since ? madeSince(found, since) : found, MAX_COUNTED + 1));
    if (many >= MANY)
      await confirm(io, options, `Send ${many > MAX_COUNTED ? `more than ${MAX_COUNTED}` : many} events again?`);
  }
  let sent = 0;
  for (let after: string | undefined; ; ) {
    const page = await repeatable(() =>
      events.redeliverMany({
        status,
        ...(type !== undefined && { type }),
        ...(since && { since: since.toISOString() }),
        ...(after !== undefined && { after }),
      }),
    );
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

/** What was made at a time or later, of a list with the newest first. */
export async function* madeSince(events: AsyncIterable<EventAnswer>, since: Date): AsyncGenerator<EventAnswer> {
  for await (const event of events) {
    if (Date.parse(event.created_at) < since.getTime()) return;
    yield event;
  }
}

/** Asks the relay for what may be asked for again. Throws CliError where no answer came. */
export async function repeatable<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof RelayUnreachable || error instanceof RelayAnswerUnusable)) throw error;
    throw new CliError(error.code, 'The relay gave no answer. What was asked for may have been done.', {
      exitCode: EXIT.unknown,
      hint: 'Repeat the command: events that wait to be sent already are left alone.',
    });
  }
}
