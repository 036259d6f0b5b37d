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

/** Of the streams of one relay, and of one person. */
const MAX_STREAMS = 200;
const MAX_STREAMS_EACH = 10;

/** What may be asked by the address, or by a browser's EventSource that connects again. */
const cursorGiven = z.string().regex(/^[\w-]{1,64}$/);

/**
 * OrderChanges of an account's orders, as its webhooks are written: a stream of server-sent events, or as JSON what came since the last
 * look. `guards` let a person in, without keeping them signed in by that.
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
        // Who left already closes nothing any more, and a HEAD has no stream.
        if (res.closed || req.method === 'HEAD') return void res.type('text/event-stream').end();
        const { person, token } = signedInAt(res);
        res.once('close', open(person.name));
        res.once(
          'close',
          terms.signIns.onEnd(token, () => res.end()),
        );
        const isSignedIn = async (): Promise<boolean> =>
          !terms.isDraining() && (await terms.signIns.find(req, false)) !== undefined;
        // Not waited for: a stop of the relay waits for what is under way.
        const start = known === undefined ? await recentStart(context, account) : { cursor: known };
        void stream(res, (since) => readShared(account, since), start, isSignedIn, terms.isDraining);
      },
    ],
  });
  return router;
}

/** Tells what comes until the browser leaves, the sign-in is over or the relay stops; the browser then connects again. */
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
  // A browser that gets none of these sits behind a proxy that keeps the stream back.
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
        // The browser does not take what was written: it would be kept without end.
        if (res.writableNeedDrain) return void res.destroy();
        if (!(await isSignedIn())) break;
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
    const timer = setTimeout(end, POLL_MS - (performance.now() % POLL_MS));
    res.once('close', end);
  });
}
