import type { Server } from 'node:http';
import { Server as Listener } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { within } from './base/bounded.ts';
import type { Logger } from './base/log.ts';
import type { Polling } from './base/polling.ts';
import type { RunningHandlers } from './http/running-handlers.ts';

/** How a stop ended: all running work ended (`finished`), or the time was over and the rest was cut. */
export type Stopped = 'finished' | 'cut';

/**
 * The parts to stop. A stop ends `pollers` at once, and `delivery` after the webhooks of the last payment are written.
 */
type Parts = {
  servers: readonly Server[];
  handlers: RunningHandlers;
  pollers: readonly Polling[];
  delivery: Polling;
  client: { close(): Promise<void> };
  store: { close(): Promise<void> };
  log: Logger;
  /**
   * How long idle connections stay open, in milliseconds. A proxy may have sent a request on one just now, and cannot
   * repeat a POST. A request that arrives in this time is answered, and then its connection is closed.
   */
  idleMs: number;
};

/** The time that a client has to send the rest of a request or to read the rest of an answer. */
const SOCKET_GRACE_MS = 2000;

/** The pause between two searches for idle connections. */
const SWEEP_MS = 50;

/** The maximum number of turns of the event loop in which waiting connections are accepted, one in each turn. */
const MAX_TURNS = 1000;

/** The time for the store's last writes after everything else was cut. */
const LAST_WRITE_MS = 1000;

/**
 * Accepts no more requests, waits for running requests and pollers, and closes everything, within `limitMs`. Work that
 * is not finished by then is logged and abandoned: like a killed relay, this loses nothing.
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
    // A request that has already arrived is read first, so that its connection is not closed as idle.
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
 * Accepts the connections that already wait, because closing the server would cut them, and then no more. Fulfilled
 * when every connection has ended.
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
  // The method of HTTP's own class would close idle connections, too.
  await new Promise<void>((done) => Listener.prototype.close.call(server, () => done()));
}
