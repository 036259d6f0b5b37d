import { setImmediate } from 'node:timers/promises';
import { type RequestHandler, type Response, Router } from 'express';
import { z } from 'zod';
import type { Alive, Change, LiveChanges } from '../../shared/api/console.ts';
import { ProblemError } from '../base/errors.ts';
import type { Context } from '../context/context.ts';
import { checkScope, principalIn } from '../http/access.ts';
import { addRoute } from '../http/serve.ts';
import type { OutboxEvent } from '../store/facets/outbox.ts';
import { signedInAt } from './sign-in/guard.ts';
import type { SignIns } from './sign-in/sign-ins.ts';

const LOOK_MS = 1000;
const ALIVE_MS = 15_000;

/** How many events are read at a time, and how often in one look where very many came. */
const MAX_EVENTS = 100;
const MAX_READS = 5;

/** Of the streams of one relay, and of one person. */
const MAX_STREAMS = 200;
const MAX_STREAMS_EACH = 10;

/** So much later than one that stands behind it an event may become visible: several relays write at the same time. */
const SETTLED_MS = 6000;

/** A page may read what it shows this long before its stream begins. The stream begins with what changed meanwhile. */
const RECENT_MS = 15_000;

/** The cursor before every event. */
const START = '0';

/** What came since a cursor, each with the id of its event, and the cursor of the next look. */
type News = { told: { id: string; change: Change }[]; next: string };
type Look = (account: string, cursor: string) => Promise<News>;

/** What may be asked by the address, or by a browser's EventSource that connects again. */
const cursorGiven = z.string().regex(/^[\w-]{1,64}$/);

/**
 * News of an account's orders, as its webhooks are written: a stream of server-sent events, or as JSON what came since the last
 * look. `guards` let a person in, without keeping them signed in by that.
 */
export function liveRoutes(
  context: Context,
  terms: { signIns: SignIns; guards: RequestHandler[]; isDraining: () => boolean },
): Router {
  const router = Router();
  const look = looksOf(context);
  const sharedLook = shared(look);
  /** The streams that are open, each with its person. */
  const streams = new Set<{ person: string }>();
  const open = (person: string): (() => void) => {
    const own = [...streams].filter((stream) => stream.person === person);
    if (own.length >= MAX_STREAMS_EACH || streams.size >= MAX_STREAMS) {
      throw new ProblemError('too_many_attempts', 'Too many consoles are open. Close one, or ask with since.', {
        headers: { 'Retry-After': '60' },
      });
    }
    const stream = { person };
    streams.add(stream);
    return () => void streams.delete(stream);
  };

  addRoute(router, '/console/api/:account/live', {
    get: [
      ...terms.guards,
      async (req, res) => {
        checkScope(res, ['console']);
        const account = principalIn(res).account.id;
        const given = req.query.since ?? req.get('last-event-id');
        const known = await knownCursor(context, account, cursorGiven.safeParse(given).data);
        res.vary('Accept').set('Cache-Control', 'no-store');
        if (req.accepts(['application/json', 'text/event-stream']) === 'application/json') {
          const cursor = known ?? (await newestOf(context, account));
          const { told, next } = await look(account, cursor);
          const answer: LiveChanges = { changes: told.map(({ change }) => change), next };
          res.json(answer);
          return;
        }
        // Who left already closes nothing any more, and a HEAD has no stream.
        if (res.closed || req.method === 'HEAD') return void res.type('text/event-stream').end();
        const { person, token } = signedInAt(res);
        res.once('close', open(person.name));
        res.once(
          'close',
          terms.signIns.onEnd(token, () => res.end()),
        );
        const isGood = async (): Promise<boolean> =>
          !terms.isDraining() && (await terms.signIns.find(req, false)) !== undefined;
        // Not waited for: a stop of the relay waits for what is under way.
        const start = known === undefined ? await recentStart(context, account) : { cursor: known };
        void stream(res, (since) => sharedLook(account, since), start, isGood, terms.isDraining);
      },
    ],
  });
  return router;
}

/** Tells what comes until the browser leaves, the sign-in is over or the relay stops; the browser then connects again. */
async function stream(
  res: Response,
  look: (cursor: string) => Promise<News>,
  start: Start,
  isGood: () => Promise<boolean>,
  isDraining: () => boolean,
): Promise<void> {
  res.set({ 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' });
  res.flushHeaders();
  const told = new Set<string>();
  let { cursor } = start;
  let aliveAt = performance.now();
  // A browser that gets none of these sits behind a proxy that keeps the stream back.
  const sendAlive = (data: Alive = {}): void =>
    void res.write(`event: alive\nid: ${cursor}\ndata: ${JSON.stringify(data)}\n\n`);
  sendAlive(start.missed ? { missed: true } : {});
  try {
    while (!res.writableEnded && !res.closed && !isDraining()) {
      const news = await look(cursor);
      if (res.writableEnded) return;
      cursor = news.next;
      const fresh = news.told.filter(({ id }) => !told.has(id));
      told.clear();
      for (const { id } of news.told) told.add(id);
      const messages = fresh.map(({ change }) => `event: change\nid: ${cursor}\ndata: ${JSON.stringify(change)}\n\n`);
      if (messages.length > 0) res.write(messages.join(''));
      if (performance.now() - aliveAt >= ALIVE_MS) {
        // The browser does not take what was written: it would be kept without end.
        if (res.writableNeedDrain) return void res.destroy();
        if (!(await isGood())) break;
        aliveAt = performance.now();
        sendAlive();
      }
      await pause(res);
    }
  } catch {
    // The store does not answer; the next connection gets that error.
  }
  res.end();
}

/** Until the next look, which is at the same moment for all streams, or until the browser leaves. */
function pause(res: Response): Promise<void> {
  return new Promise((done) => {
    const end = (): void => {
      clearTimeout(timer);
      res.off('close', end);
      done();
    };
    const timer = setTimeout(end, LOOK_MS - (performance.now() % LOOK_MS));
    res.once('close', end);
  });
}

/** Where a stream begins. `missed`: recent changes before it are not sent. */
type Start = { cursor: string; missed?: true };

/** The cursor that was given, unless it is kept no more. */
async function knownCursor({ store }: Context, account: string, given?: string): Promise<string | undefined> {
  return given === START || (given !== undefined && (await store.outbox.get(account, given))) ? given : undefined;
}

/** The cursor behind the newest event. */
async function newestOf({ store }: Context, account: string): Promise<string> {
  const [newest] = await store.outbox.list({ account, limit: 1 });
  return newest?.id ?? START;
}

/** Where a stream begins that tells recent changes, too. */
async function recentStart({ store, now }: Context, account: string): Promise<Start> {
  const newest = await store.outbox.list({ account, limit: MAX_EVENTS });
  const recent = now().getTime() - RECENT_MS;
  const before = newest.find(({ created_at }) => Date.parse(created_at) < recent);
  if (before) return { cursor: before.id };
  const [first] = newest;
  return first && newest.length === MAX_EVENTS ? { cursor: first.id, missed: true } : { cursor: START };
}

/** The cursor stays before what is not settled, which is found again by the next look. */
function looksOf({ store, now }: Context): Look {
  return async (account, cursor) => {
    const settled = now().getTime() - SETTLED_MS;
    const told: News['told'] = [];
    let next = cursor;
    for (let read = 0; read < MAX_READS; read++) {
      const after = next === START ? {} : { after: next };
      const events = await store.outbox.list({ account, oldestFirst: after, limit: MAX_EVENTS });
      told.push(...events.map((event) => ({ id: event.id, change: changeOf(event) })));
      const isFull = events.length === MAX_EVENTS;
      const unsettled = isFull ? -1 : events.findIndex(({ created_at }) => Date.parse(created_at) > settled);
      const last = unsettled < 0 ? events.at(-1) : events[unsettled - 1];
      next = last?.id ?? next;
      if (!isFull) break;
      // Payments first.
      await setImmediate();
    }
    return { told, next };
  };
}

/** The same for streams, which look at the same moments: what one of them reads serves all that are as far as it is. */
function shared(look: Look): Look {
  const looks = new Map<string, Promise<News>>();
  let moment = 0;
  return (account, cursor) => {
    const now = Math.floor(performance.now() / LOOK_MS);
    if (now !== moment) looks.clear();
    moment = now;
    const key = `${account} ${cursor}`;
    const news = looks.get(key) ?? look(account, cursor);
    looks.set(key, news);
    return news;
  };
}

const bodyOf = z.object({ data: z.object({ order_no: z.string().optional().catch(undefined) }) });

function changeOf({ type, subject, body }: OutboxEvent): Change {
  const order_no = bodyOf.safeParse(JSON.parse(body)).data?.data.order_no;
  return { type, subject, ...(order_no === undefined ? {} : { order_no }) };
}
