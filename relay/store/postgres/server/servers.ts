import { Client, type ClientBase, type ClientConfig } from 'pg';
import { isSameStore } from '../../../config/reload.ts';
import { PostgresFault, storeError } from './errors.ts';

/** How long a server may take to accept a connection if there are others to try. */
const REACH_MS = 1500;

/**
 * The servers of one database. One of them accepts writes; the others are standbys and take its place when it fails.
 */
export type Servers = {
  /** How many there are. */
  count: number;
  /** Whether connections keep prepared statements. A pooler may give each transaction another connection, which does not have them. */
  keepsStatements: boolean;
  /** The address for new connections. */
  current(): string;
  /** Makes the next server the current one, unless `failed` is no longer the current one. */
  pass(failed: string): void;
  /** The complete address for new connections. */
  address(): string;
  /** Uses another address of the same servers for new connections. */
  replace(address: string): void;
  /**
   * Changes to another address after a server refused the password of `refused`: the one that is read again, otherwise
   * the previous one, because the file may be written before or after the role is changed. False if there is none to
   * try.
   */
  renew(refused: string): boolean;
  /** Calls back whenever the address changes. */
  onReplaced(listener: () => void): void;
};

/**
 * The servers in an address: `postgres://user@host1:5432,host2:5432/name` has two. `prepare=false` is for poolers that
 * do not support prepared statements. Throws StoreError if `target_session_attrs` requests a server that accepts no
 * writes, or `prepare` is unclear.
 * @param reread reads the address again; undefined if it cannot be read
 */
export function serversOf(given: string, reread: () => string | undefined = () => undefined): Servers {
  let address = given;
  let addresses = addressesOf(address);
  let before: string | undefined;
  let at = 0;
  const listeners: (() => void)[] = [];
  const current = (): string => addresses[at] ?? address;
  const replace = (next: string): void => {
    if (next === address) return;
    addresses = addressesOf(next);
    [before, address, at] = [address, next, at % addresses.length];
    for (const tell of listeners) tell();
  };
  return {
    get count() {
      return addresses.length;
    },
    get keepsStatements() {
      return parameterOf(address, 'prepare') !== 'false';
    },
    current,
    pass: (failed) => {
      if (failed === current()) at = (at + 1) % addresses.length;
    },
    address: () => address,
    replace,
    renew(refused) {
      // Another call has changed to another server meanwhile.
      if (refused !== current()) return true;
      const read = reread();
      const next = read !== undefined && read !== address && isSameStore(read, given) ? read : before;
      if (next === undefined) return false;
      replace(next);
      return true;
    },
    onReplaced: (listener) => void listeners.push(listener),
  };
}

/** One address for each host. The driver knows neither several hosts nor these parameters. */
function addressesOf(address: string): string[] {
  const wanted = parameterOf(address, 'target_session_attrs') ?? 'read-write';
  if (wanted !== 'read-write' && wanted !== 'primary') {
    throw storeError(new PostgresFault('target_session_attrs must be read-write or primary: the relay writes'));
  }
  const prepare = parameterOf(address, 'prepare') ?? 'true';
  if (prepare !== 'true' && prepare !== 'false') {
    throw storeError(new PostgresFault('prepare must be true or false'));
  }
  const own = OWN_PARAMETERS.reduce(without, address);
  const [, scheme = '', user = '', hosts = '', rest = ''] = /^([a-z]+:\/\/)([^/?#]*@)?([^/?#]*)(.*)$/s.exec(own) ?? [];
  return hosts.includes(',') ? hosts.split(',').map((host) => `${scheme}${user}${host}${rest}`) : [own];
}

const OWN_PARAMETERS = ['target_session_attrs', 'prepare'] as const;

function parameterOf(address: string, name: (typeof OWN_PARAMETERS)[number]): string | undefined {
  return new RegExp(`[?&]${name}=([^&#]*)`).exec(address)?.[1];
}

function without(address: string, name: (typeof OWN_PARAMETERS)[number]): string {
  return address.replace(new RegExp(`([?&])${name}=[^&#]*&?`), '$1').replace(/[?&]$/, '');
}

/** The options for connections to the current server, in addition to `config`. */
export function connectionTo(servers: Servers, config: ClientConfig = {}): ClientConfig {
  const connectionString = servers.current();
  return servers.count > 1
    ? { ...config, connectionString, connectionTimeoutMillis: REACH_MS }
    : { ...config, connectionString };
}

/** Rejects if one of several servers accepts no writes: another one has taken its place, or will. */
export async function checkTakesWrites(servers: Servers, client: ClientBase): Promise<void> {
  if (servers.count === 1) return;
  const { rows } = await client.query<{ transaction_read_only: string }>('SHOW transaction_read_only');
  if (rows[0]?.transaction_read_only !== 'off') {
    throw new PostgresFault('no server of the address takes writes', undefined, '25006');
  }
}

/** Connects to the server that accepts writes. If none can be used, rejects with the error of the last one. */
export async function connectToOne(servers: Servers, config: ClientConfig): Promise<Client> {
  for (let tried = 1; ; tried++) {
    const address = servers.current();
    const client = new Client(connectionTo(servers, config));
    // A failure of a connection is reported by the query that uses it.
    client.on('error', () => undefined);
    try {
      await client.connect();
      await checkTakesWrites(servers, client);
      return client;
    } catch (error) {
      client.end().catch(() => undefined);
      servers.pass(address);
      if (tried >= servers.count) throw error;
    }
  }
}
