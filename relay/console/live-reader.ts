import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import type { Change } from '../../shared/api/console.ts';
import type { Context } from '../context/context.ts';
import type { OutboxEvent } from '../store/facets/outbox.ts';

/** The time between two polls of a stream. */
export const POLL_MS = 1000;

/** The number of events that are read at a time, and the maximum number of reads in one poll. */
const MAX_EVENTS = 100;
const MAX_READS = 5;

/** An event may become visible this much later than a newer one, because several relays write. */
const SETTLED_MS = 6000;

/** A page may read its data this long before its stream begins. The stream begins with the changes since then. */
const RECENT_MS = 15_000;

/** The cursor before every event. */
const START = '0';

/** The changes since a cursor, each with the id of its event, and the cursor of the next poll. */
export type OrderChanges = { changes: { id: string; change: Change }[]; next: string };
export type ReadChanges = (account: string, cursor: string) => Promise<OrderChanges>;

/** The beginning of a stream. `missed`: recent changes before it are not sent. */
export type Start = { cursor: string; missed?: true };

/** The given cursor, if its event is still stored. */
export async function knownCursor({ store }: Context, account: string, given?: string): Promise<string | undefined> {
  return given === START || (given !== undefined && (await store.outbox.get(account, given))) ? given : undefined;
}

/** The cursor after the newest event. */
export async function newestOf({ store }: Context, account: string): Promise<string> {
  const [newest] = await store.outbox.list({ account, limit: 1 });
  return newest?.id ?? START;
}

/** The beginning of a stream that also sends recent changes. */
export async function recentStart({ store, now }: Context, account: string): Promise<Start> {
  const newest = await store.outbox.list({ account, limit: MAX_EVENTS });
  const recent = now().getTime() - RECENT_MS;
  const before = newest.find(({ created_at }) => Date.parse(created_at) < recent);
  if (before) return { cursor: before.id };
  const [first] = newest;
  return first && newest.length === MAX_EVENTS ? { cursor: first.id, missed: true } : { cursor: START };
}

/** Returns a reader of changes. The cursor stays before recent events, and the next poll reads these again. */
export function createReader({ store, now }: Context): ReadChanges {
  return async (account, cursor) => {
    const settled = now().getTime() - SETTLED_MS;
    const changes: OrderChanges['changes'] = [];
    let next = cursor;
    for (let read = 0; read < MAX_READS; read++) {
      const after = next === START ? {} : { after: next };
      const events = await store.outbox.list({ account, oldestFirst: after, limit: MAX_EVENTS });
      changes.push(...events.map((event) => ({ id: event.id, change: changeOf(event) })));
      const isFull = events.length === MAX_EVENTS;
      const unsettled = isFull ? -1 : events.findIndex(({ created_at }) => Date.parse(created_at) > settled);
      const last = unsettled < 0 ? events.at(-1) : events[unsettled - 1];
      next = last?.id ?? next;
      if (!isFull) break;
      // Payments go first.
      await setImmediate();
    }
    return { changes, next };
  };
}

/** A reader for streams: streams with the same cursor share one read. */
export function sharedReader(read: ReadChanges): ReadChanges {
  const reads = new Map<string, Promise<OrderChanges>>();
  let moment = 0;
  return (account, cursor) => {
    const now = Math.floor(performance.now() / POLL_MS);
    if (now !== moment) reads.clear();
    moment = now;
    const key = `${account} ${cursor}`;
    const changes = reads.get(key) ?? read(account, cursor);
    reads.set(key, changes);
    return changes;
  };
}

const bodyOf = z.object({ data: z.object({ order_no: z.string().optional().catch(undefined) }) });

function changeOf({ type, subject, body }: OutboxEvent): Change {
  const order_no = bodyOf.safeParse(JSON.parse(body)).data?.data.order_no;
  return { type, subject, ...(order_no === undefined ? {} : { order_no }) };
}
