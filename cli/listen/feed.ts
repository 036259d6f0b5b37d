import type { EventAnswer, EventFilter, EventList } from '../../client/index.ts';

/**
 * How long an event may become visible after one that stands above it in the list: places are given when an event is written, and
 * several relays write at the same time. So far back each look goes.
 */
const SETTLED_MS = 15_000;

const MIN_PAGE = 20;
const MAX_PAGE = 100;

export type Feed = {
  /** The events that came since the look before, oldest first, each once. Throws what the client throws, and loses nothing then. */
  look(): Promise<EventAnswer[]>;
  /** When the newest event was made, by the relay's clock; undefined while there is none. */
  newest(): string | undefined;
};

/**
 * Looks for new events in the list that shows the newest first. The first look takes those since a moment, or none. Where nothing is
 * new, a look is one request.
 */
export function createFeed(
  list: (filter: EventFilter) => Promise<EventList>,
  now: () => number,
  since: Date | undefined,
): Feed {
  /** The events above the floor, and when each was seen first. */
  const seen = new Map<string, number>();
  /** An event below which no new ones can appear. */
  let floor: EventAnswer | undefined;
  let newest: string | undefined;
  let isFirst = true;

  /** The list down to the floor, newest first; the first time, down to where what is wanted begins. */
  async function walk(): Promise<{ events: EventAnswer[]; metFloor: boolean }> {
    const events: EventAnswer[] = [];
    const limit = isFirst && since ? MAX_PAGE : Math.min(Math.max(seen.size + 10, MIN_PAGE), MAX_PAGE);
    for (let before: string | undefined; ; ) {
      const page = await list({ limit, before });
      for (const event of page.events) {
        if (event.id === floor?.id) return { events, metFloor: true };
        events.push(event);
      }
      before = page.next;
      const isFarEnough = isFirst && page.events.every((event) => !isSince(event, since));
      if (before === undefined || isFarEnough) return { events, metFloor: false };
    }
  }

  /** Raises the floor over the events that were seen long enough ago. */
  function raiseFloor(events: readonly EventAnswer[], at: number): void {
    const isSettled = ({ id }: EventAnswer) => at - (seen.get(id) ?? at) >= SETTLED_MS;
    const lastUnsettled = events.findLastIndex((event) => !isSettled(event));
    const settled = isFirst ? events.slice(-1) : events.slice(lastUnsettled + 1);
    if (settled[0]) floor = settled[0];
    for (const { id } of settled) seen.delete(id);
  }

  return {
    async look() {
      const { events, metFloor } = await walk();
      const [at, last] = [now(), floor];
      const isNew = (event: EventAnswer): boolean => {
        if (isFirst) return isSince(event, since);
        // The floor is gone from the list when it was kept long enough; what is as old was there before.
        return !seen.has(event.id) && (metFloor || !last || event.created_at > last.created_at);
      };
      const fresh = events.filter(isNew);
      for (const { id } of events) if (!seen.has(id)) seen.set(id, at);
      raiseFloor(events, at);
      newest = events[0]?.created_at ?? newest;
      isFirst = false;
      return fresh.reverse();
    },
    newest: () => newest,
  };
}

function isSince({ created_at }: EventAnswer, since: Date | undefined): boolean {
  return since !== undefined && Date.parse(created_at) >= since.getTime();
}
