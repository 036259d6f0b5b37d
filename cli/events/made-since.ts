import type { EventAnswer } from '../../client/index.ts';

/** What was made at a time or later, of a list with the newest first. */
export async function* madeSince(events: AsyncIterable<EventAnswer>, since: Date): AsyncGenerator<EventAnswer> {
  for await (const event of events) {
    if (Date.parse(event.created_at) < since.getTime()) return;
    yield event;
  }
}
