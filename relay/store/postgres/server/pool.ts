import { Client, type ClientConfig, Pool, type PoolClient, type PoolConfig } from 'pg';
import { storeError } from './errors.ts';
import { checkTakesWrites, connectionTo, type Servers } from './servers.ts';

/** Connections of one relay. Payments at the same time wait for the server's disk together, so a few do for many. */
const CONNECTIONS = 10;

/** How long a connection may take to say goodbye. */
const GOODBYE_MS = 1000;

/** What a pool has in its own way: how many connections, and their name on the server. */
export type OwnPool = Pick<PoolConfig, 'max' | 'fallback_application_name'>;

/**
 * Connections to the current server of a database, made as they are used. A server that takes no writes is refused as one
 * that cannot be reached. Throws StoreError for an address that is none.
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

/** Waits for connections to end. One whose server hangs would keep the process for ever, and is cut. */
export async function sayGoodbye(clients: Set<PoolClient>): Promise<void> {
  const end = performance.now() + GOODBYE_MS;
  while (clients.size > 0 && performance.now() < end) await new Promise((done) => setTimeout(done, 10));
  for (const client of clients) client.connection.stream.destroy();
}
