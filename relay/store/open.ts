import { openPostgres } from './postgres/open.ts';
import type { Clock } from './postgres/server/database.ts';
import { openSqlite } from './sqlite/open.ts';
import type { Store } from './store.ts';

/**
 * Opens the store that the configuration names: `sqlite:PATH`, `sqlite::memory:` or `postgres://…`. Rejects with
 * StoreError.
 * @param broken hears of a failure of this machine's disk after which it is unknown what is on it, by the system's code
 * @param decides whose clock decides what is due and leased in PostgreSQL
 * @param reread reads the address again where PostgreSQL refuses its password; undefined where it cannot be read
 */
export async function openStore(
  address: string,
  broken?: (code: string) => void,
  decides: Clock = 'server',
  reread: () => string | undefined = () => undefined,
): Promise<Store> {
  return /^postgres(?:ql)?:/.test(address)
    ? openPostgres(address, decides, reread)
    : openSqlite(address.replace(/^sqlite:/, ''), broken);
}
