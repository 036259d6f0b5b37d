import { openPostgres } from './postgres/open.ts';
import { openSqlite } from './sqlite/open.ts';
import type { Store } from './store.ts';

/**
 * Opens the store that the configuration names: `sqlite:PATH`, `sqlite::memory:` or `postgres://…`. Rejects with
 * StoreError.
 * @param broken hears of a failure of this machine's disk after which nobody knows what is on it, by the system's code
 */
export async function openStore(address: string, broken?: (code: string) => void): Promise<Store> {
  return /^postgres(?:ql)?:/.test(address)
    ? openPostgres(address)
    : openSqlite(address.replace(/^sqlite:/, ''), broken);
}
