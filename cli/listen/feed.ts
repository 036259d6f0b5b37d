import type {
  EventAnswer,
  EventFilter,
  EventList,
  RequestEntry,
  RequestFilter,
  RequestList,
} from '../../client/index.ts';

/** A list of the relay with the newest entry first: how to read a page, and the time of an entry. */
export type Source<Entry> = {
  list(page: { limit: number; before: string | undefined }): Promise<{ entries: Entry[]; next: string | undefined }>;
  timeOf(entry: Entry): string;
};

/** The events of an account. */
export const eventsIn = (list: (filter: EventFilter) => Promise<EventList>): Source<EventAnswer> => ({
  list: async (page) => {
    const { events: entries, next } = await list(page);
    return { entries, next };
  },
  timeOf: ({ created_at }) => created_at,
});

/** The request log of an account. */
export const requestsIn = (list: (filter: RequestFilter) => Promise<RequestList>): Source<RequestEntry> => ({
  list: async (page) => {
    const { requests: entries, next } = await list(page);
    return { entries, next };
  },
  timeOf: ({ at }) => at,
});

/**
 * How much later than an entry above it an entry may become visible: places are assigned when an event is written or a
 * request is answered, and several relays write at the same time. Each read includes this time.
 */
const SETTLED_MS = 15_000;

const MIN_PAGE = 20;
const MAX_PAGE = 100;

export type Feed<Entry> = {
  /**
   * The entries since the previous read, oldest first, each once. If it throws the client's error, no entry is lost.
   */
  readNew(): Promise<Entry[]>;
  /** The time of the newest entry, by the relay's clock; undefined without an entry. */
  newest(): string | undefined;
};

/**
 * Reads the new entries of a list. The first read returns the entries since a moment, or none. Without new entries, a
 * read is one request.
 */
export function createFeed<Entry extends { id: string }>(
  { list, timeOf }: Source<Entry>,
  now: () => number,
  since: Date | undefined,
): Feed<Entry> {
  /** The entries above the floor, each with the time at which it was first seen. */
  const seen = new Map<string, number>();
  /** The floor: an entry below which no new ones can appear. */
  let floor: Entry | undefined;
  let newest: string | undefined;
  let isFirst = true;
  const isSince = (entry: Entry): boolean => since !== undefined && Date.parse(timeOf(entry)) >= since.getTime();

  /** The list down to the floor, newest first; the first time, down to the start of the wanted entries. */
  async function walk(): Promise<{ entries: Entry[]; metFloor: boolean }> {
    const entries: Entry[] = [];
    const limit = isFirst && since ? MAX_PAGE : Math.min(Math.max(seen.size + 10, MIN_PAGE), MAX_PAGE);
    for (let before: string | undefined; ; ) {
      const page = await list({ limit, before });
      for (const entry of page.entries) {
        if (entry.id === floor?.id) return { entries, metFloor: true };
        entries.push(entry);
      }
      before = page.next;
      const isFarEnough = isFirst && !page.entries.some(isSince);
      if (before === undefined || isFarEnough) return { entries, metFloor: false };
    }
  }

  /** Raises the floor above the entries that were seen long enough ago. */
  function raiseFloor(entries: readonly Entry[], at: number): void {
    const isSettled = ({ id }: Entry) => at - (seen.get(id) ?? at) >= SETTLED_MS;
    const lastUnsettled = entries.findLastIndex((entry) => !isSettled(entry));
    const settled = isFirst ? entries.slice(-1) : entries.slice(lastUnsettled + 1);
    if (settled[0]) floor = settled[0];
    for (const { id } of settled) seen.delete(id);
  }

  return {
    async readNew() {
      const { entries, metFloor } = await walk();
      const [at, last] = [now(), floor];
      const isNew = (entry: Entry): boolean => {
        if (isFirst) return isSince(entry);
        // If the floor is old enough to be deleted, entries as old as it are not new.
        return !seen.has(entry.id) && (metFloor || !last || timeOf(entry) > timeOf(last));
      };
      const fresh = entries.filter(isNew);
      for (const { id } of entries) if (!seen.has(id)) seen.set(id, at);
      raiseFloor(entries, at);
      newest = entries[0] ? timeOf(entries[0]) : newest;
      isFirst = false;
      return fresh.reverse();
    },
    newest: () => newest,
  };
}
