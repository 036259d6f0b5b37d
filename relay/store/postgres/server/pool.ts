import { Client, type ClientConfig, Pool, type PoolClient, type PoolConfig } from 'pg';
import { storeError } from './errors.ts';
import { checkTakesWrites, connectionTo, type Servers } from './servers.ts';

/** The connections of one relay. Few are enough, because simultaneous payments share a batch. */
const CONNECTIONS = 10;

/** How long the connections may take to end. */
const END_MS = 1000;

/** The options that differ between pools: the number of connections, and their name on the server. */
export type OwnPool = Pick<PoolConfig, 'max' | 'fallback_application_name'>;

/**
 * Connections to the current server of a database, each opened when it is needed. A server that accepts no writes
 * counts as unreachable. Throws StoreError for an invalid address.
 */
export function createPool(servers: Servers, connectionTimeoutMillis: number, own: OwnPool = {}): Pool {
  class ToCurrent extends Client {
    constructor(config?: ClientConfig) {
      super(connectionTo(servers, config));
    }
  }
  try {
    return new Pool({
      connectionString: servers.current(),
      Client: ToCurrent,
      verify: (client, done) => void checkTakesWrites(servers, client).then(() => done(), done),
      max: CONNECTIONS,
      connectionTimeoutMillis,
      keepAlive: true,
      fallback_application_name: 'turnpike',
      pipeline: true,
      ...own,
    });
  } catch (error) {
    throw storeError(error);
  }
}

/** Waits for connections to end, and then cuts the others: a server that hangs would keep the process alive. */
export async function endConnections(clients: Set<PoolClient>): Promise<void> {
  const end = performance.now() + END_MS;
  while (clients.size > 0 && performance.now() < end) await new Promise((done) => setTimeout(done, 10));
  for (const client of clients) client.connection.stream.destroy();
}
