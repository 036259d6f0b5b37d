import type { PoolClient } from 'pg';
import {
  isFull,
  isRoleRefused,
  isUnreplicatedWarning,
  LATE,
  PostgresFault,
  storeError,
  wasLate,
  wasUndone,
} from './errors.ts';
import { createPool, endConnections, type OwnPool } from './pool.ts';
import type { Servers } from './servers.ts';

/**
 * The maximum duration of a call, with the wait for a connection. If the server hangs, the call fails then, and the
 * relay continues.
 */
export const CALL_MS = 5000;

/** After this time a statement is not sent any more: the server would have too little time for it. */
const SEND_MS = 4000;

/**
 * How often a connection is tried with another password: with the one that is read again, and with the previous one.
 */
const MAX_RENEWALS = 2;

/** How often a transaction runs if the server undoes it in favour of another one. */
const RUNS = 3;

/** How long a call tries to get a connection while the server has none left, and the pause between two tries. */
const FULL_MS = 4500;
const FULL_PAUSE_MS = 50;

/** True if it is too late to send work that has waited since `start`. */
export function isOver(start: number): boolean {
  return performance.now() - start > SEND_MS;
}

/** The error of a statement that was not sent in time. */
export function notSent(): PostgresFault {
  return new PostgresFault(`not sent in ${SEND_MS} ms`, LATE, 'ETIMEDOUT');
}

/** The connections to one database. */
export type Connections = {
  /**
   * Runs `work` with a connection. It runs again if the server undid it. Rejects with StoreError, after `CALL_MS` at
   * the latest.
   * @param start since when the caller waits (`performance.now`)
   */
  use<Result>(work: (client: PoolClient) => Promise<Result>, start?: number): Promise<Result>;
  close(): Promise<void>;
};

/**
 * The connections to the servers of a database. The first use connects. Throws StoreError for an invalid address.
 * @param resetClock called when the server, or its clock, may have changed
 */
export function createConnections(servers: Servers, own: OwnPool, resetClock: () => void): Connections {
  const pool = createPool(servers, CALL_MS, own);
  const clients = new Set<PoolClient>();
  /** The time of the last use of each connection, and of the last call without an answer. */
  const usedAt = new WeakMap<PoolClient, number>();
  let lateAt = Number.NEGATIVE_INFINITY;
  /** Connections on which the server committed a change that perhaps no standby has. */
  const unreplicated = new WeakSet<PoolClient>();
  pool.on('connect', (client) => {
    clients.add(client);
    // The new connection may lead to another server.
    resetClock();
    // The call that uses a connection reports its failure. Without a listener the failure would end the process.
    client.on('error', () => undefined);
    client.on('notice', (notice) => {
      if (isUnreplicatedWarning(notice)) unreplicated.add(client);
    });
  });
  pool.on('remove', (client) => void clients.delete(client));
  pool.on('error', () => undefined);
  let closed: Promise<void> | undefined;

  /** Tries each of several servers once, starting with the last used one. */
  const connection = async (start: number): Promise<PoolClient> => {
    for (let [tried, renewed] = [1, 0]; ; ) {
      const current = servers.current();
      try {
        const client = await pool.connect();
        // The call without an answer may have met a lost server. Connections that were idle then lead to it, too.
        const isStale = servers.count > 1 && (usedAt.get(client) ?? lateAt) < lateAt;
        if (!isStale) return client;
        client.release(true);
      } catch (error) {
        if (isFull(error) && performance.now() - start <= FULL_MS) {
          await new Promise((done) => setTimeout(done, FULL_PAUSE_MS));
          continue;
        }
        if (isRoleRefused(error) && renewed < MAX_RENEWALS && servers.renew(current)) {
          renewed += 1;
          continue;
        }
        servers.pass(current);
        if (tried >= servers.count) throw error;
        tried += 1;
      }
    }
  };

  const once = async <Result>(work: (client: PoolClient) => Promise<Result>, start: number): Promise<Result> => {
    if (isOver(start)) throw notSent();
    let client: PoolClient | undefined;
    let isLate = false;
    const tooLate = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => {
        isLate = true;
        lateAt = performance.now();
        client?.connection.stream.destroy();
        tooLate.reject(notSent());
      },
      start + CALL_MS - performance.now(),
    );
    const connecting = connection(start);
    try {
      client = await Promise.race([connecting, tooLate.promise]);
    } catch (error) {
      clearTimeout(timer);
      // The connection may still be established.
      connecting.then(
        (unused) => unused.release(),
        () => undefined,
      );
      throw error;
    }
    try {
      const result = await work(client);
      if (unreplicated.has(client))
        throw new PostgresFault('committed, but not confirmed by a synchronous standby', undefined, 'NO_STANDBY');
      usedAt.set(client, performance.now());
      client.release();
      return result;
    } catch (error) {
      // The state of the connection is unknown, so it is closed.
      client.release(true);
      throw isLate ? new PostgresFault(`no answer in ${CALL_MS} ms`, undefined, 'ETIMEDOUT') : error;
    } finally {
      clearTimeout(timer);
    }
  };

  const use = async <Result>(
    work: (client: PoolClient) => Promise<Result>,
    start = performance.now(),
  ): Promise<Result> => {
    for (let run = 1; ; run++) {
      try {
        return await once(work, start);
      } catch (error) {
        // The server's clock may have been set.
        if (wasLate(error)) resetClock();
        if (run >= RUNS || !(wasUndone(error) || wasLate(error))) throw storeError(error);
      }
    }
  };

  return {
    use,
    close() {
      closed ??= pool.end().then(() => endConnections(clients));
      return closed;
    },
  };
}
