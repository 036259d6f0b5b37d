import { type RequestHandler, type Response, Router } from 'express';
import { z } from 'zod';
import type { Alive, LiveChanges } from '../../shared/api/console.ts';
import { ProblemError } from '../base/errors.ts';
import type { Context } from '../context/context.ts';
import { checkScope, principalIn } from '../http/access.ts';
import { addRoute } from '../http/serve.ts';
import {
  createReader,
  knownCursor,
  newestOf,
  type OrderChanges,
  POLL_MS,
  recentStart,
  type Start,
  sharedReader,
} from './live-reader.ts';
import { signedInAt } from './sign-in/guard.ts';
import type { SignIns } from './sign-in/sign-ins.ts';

const ALIVE_MS = 15_000;

/** The maximum number of streams of one relay, and of one person. */
const MAX_STREAMS = 200;
const MAX_STREAMS_EACH = 10;

/** A cursor in the address, or from a browser's EventSource that connects again. */
const cursorGiven = z.string().regex(/^[\w-]{1,64}$/);

/**
 * Changes of an account's orders: as a stream of server-sent events, or as JSON since a cursor. `guards` require a sign-in and do not
 * prolong it.
 */
export function liveRoutes(
  context: Context,
  terms: { signIns: SignIns; guards: RequestHandler[]; isDraining: () => boolean },
): Router {
  const router = Router();
  const read = createReader(context);
  const readShared = sharedReader(read);
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
          const { changes, next } = await read(account, cursor);
          const answer: LiveChanges = { changes: changes.map(({ change }) => change), next };
          res.json(answer);
          return;
        }
        // An answer that is already closed emits no `close`, and a HEAD has no stream.
        if (res.closed || req.method === 'HEAD') return void res.type('text/event-stream').end();
        const { person, token } = signedInAt(res);
        res.once('close', open(person.name));
        res.once(
          'close',
          terms.signIns.onEnd(token, () => res.end()),
        );
        const isSignedIn = async (): Promise<boolean> =>
          !terms.isDraining() && (await terms.signIns.find(req, false)) !== undefined;
        // Not awaited: a relay that stops waits for running handlers.
        const start = known === undefined ? await recentStart(context, account) : { cursor: known };
        void stream(res, (since) => readShared(account, since), start, isSignedIn, terms.isDraining);
      },
    ],
  });
  return router;
}

/** Sends changes until the browser disconnects, the sign-in ends or the relay stops. The browser then connects again. */
async function stream(
  res: Response,
  read: (cursor: string) => Promise<OrderChanges>,
  start: Start,
  isSignedIn: () => Promise<boolean>,
  isDraining: () => boolean,
): Promise<void> {
  res.set({ 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' });
  res.flushHeaders();
  const sent = new Set<string>();
  let { cursor } = start;
  let aliveAt = performance.now();
  // If a browser gets none of these, a proxy holds back the stream.
  const sendAlive = (data: Alive = {}): void =>
    void res.write(`event: alive\nid: ${cursor}\ndata: ${JSON.stringify(data)}\n\n`);
  sendAlive(start.missed ? { missed: true } : {});
  try {
    while (!res.writableEnded && !res.closed && !isDraining()) {
      const { changes, next } = await read(cursor);
      if (res.writableEnded) return;
      cursor = next;
      const fresh = changes.filter(({ id }) => !sent.has(id));
      sent.clear();
      for (const { id } of changes) sent.add(id);
      const messages = fresh.map(({ change }) => `event: change\nid: ${cursor}\ndata: ${JSON.stringify(change)}\n\n`);
      if (messages.length > 0) res.write(messages.join(''));
      if (performance.now() - aliveAt >= ALIVE_MS) {
        // The browser does not read: the memory for its messages would grow without limit.
        if (res.writableNeedDrain) return void res.destroy();
        if (!(await isSignedIn())) break;
        aliveAt = performance.now();
        sendAlive();
      }
      await pause(res);
    }
  } catch {
    // The store failed. The next connection gets the error.
  }
  res.end();
}

/** Waits for the next poll, which is at the same moment for all streams, or until the browser disconnects. */
function pause(res: Response): Promise<void> {
  return new Promise((done) => {
    const end = (): void => {
      clearTimeout(timer);
      res.off('close', end);
      done();
    };
    const timer = setTimeout(end, POLL_MS - (performance.now() % POLL_MS));
    res.once('close', end);
  });
}
