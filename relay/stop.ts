import type { Server } from 'node:http';
import { Server as Listener } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { within } from './base/bounded.ts';
import type { Logger } from './base/log.ts';
import type { Polling } from './base/polling.ts';
import type { RunningHandlers } from './http/running-handlers.ts';

/** How a stop ended: everything that was in flight came to its end, or the time was over and the rest was cut. */
export type Stopped = 'finished' | 'cut';

/** What is stopped. `pollers` stop at once; `delivery` when the last payment has told what it has to tell. */
type Parts = {
  servers: readonly Server[];
  handlers: RunningHandlers;
  pollers: readonly Polling[];
  delivery: Polling;
  client: { close(): Promise<void> };
  store: { close(): Promise<void> };
  log: Logger;
  /**
   * How long connections stay open on which nothing is being done. A proxy may just have sent a request on one, which it
   * cannot send again if that is a POST. Whatever comes meanwhile is answered, and closes its connection.
   */
  idleMs: number;
};

/** What connections on which nothing is being done get to send or take the rest. */
const SOCKET_GRACE_MS = 2000;

/** Between two looks for connections that are not needed any more. */
const SWEEP_MS = 50;

/** Turns of the event loop in which those who connect are still taken, each of which takes one of them. */
const MAX_TURNS = 1000;

/** What the store gets to write what it has, when everything else was cut. */
const LAST_WRITE_MS = 1000;

/**
 * Takes no more requests, finishes those in flight and the pollers that run, then closes everything, all within `limitMs`.
 * What is not finished by then is logged and left: it is as if the relay had been killed, and nothing is lost by that.
 */
export async function stopWithin(parts: Parts, limitMs: number): Promise<Stopped> {
  const ended = await within(finish(parts), limitMs);
  if (ended) return 'finished';
  const { servers, handlers, store, log } = parts;
  const tasks = handlers.tasks();
  log.error({ requests: tasks.length, ms: limitMs }, 'stop limit reached, remaining requests are cut');
  for (const { route, response } of tasks) {
    log.error({ request_id: String(response.getHeader('X-Request-Id')), route }, 'request cut by the stop');
  }
  for (const server of servers) server.closeAllConnections();
  await within(store.close(), LAST_WRITE_MS);
  return 'cut';
}

async function finish({ servers, handlers, pollers, delivery, client, store, idleMs }: Parts): Promise<true> {
  await Promise.all([requestsEnd(servers, handlers, idleMs), ...pollers.map((one) => one.stop())]);
  await delivery.stop();
  await client.close();
  await store.close();
  return true;
}

async function requestsEnd(servers: readonly Server[], handlers: RunningHandlers, idleMs: number): Promise<void> {
  const closed = Promise.all(servers.map(refuseConnections)).then((): true => true);
  for (const { response } of handlers.tasks()) if (!response.headersSent) response.setHeader('Connection', 'close');
  const closeIdle = async (): Promise<void> => {
    // What has arrived is read first, and its connection is idle no more.
    await turn();
    for (const server of servers) server.closeIdleConnections();
  };
  let sweep: NodeJS.Timeout | undefined;
  const idle = setTimeout(() => {
    void closeIdle();
    sweep = setInterval(closeIdle, SWEEP_MS);
  }, idleMs);
  do {
    await handlers.idle();
    if (await within(closed, idleMs + SOCKET_GRACE_MS)) continue;
    if (handlers.tasks().length > 0) continue;
    for (const server of servers) server.closeAllConnections();
  } while (handlers.tasks().length > 0);
  await closed;
  clearTimeout(idle);
  clearInterval(sweep);
}

/**
 * Takes those who have connected, then no more; fulfilled when every connection has ended. Those who have connected and are
 * not taken would be cut.
 */
async function refuseConnections(server: Server): Promise<void> {
  let hasTaken = true;
  server.on('connection', () => {
    hasTaken = true;
  });
  for (let turns = 0; hasTaken && turns < MAX_TURNS; turns++) {
    hasTaken = false;
    await turn();
  }
  // That of HTTP's own class would close idle connections, too.
  await new Promise<void>((done) => Listener.prototype.close.call(server, () => done()));
}
