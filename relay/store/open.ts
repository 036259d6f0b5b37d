import { openPostgres } from './postgres/open.ts';
import { openSqlite } from './sqlite/open.ts';
import type { Store } from './store.ts';

/**
 * Opens the store that the configuration names: `sqlite:PATH`, `sqlite::memory:` or `postgres://…`. Rejects with
 * StoreError.
 */
export async function openStore(address: string): Promise<Store> {
  return /^postgres(?:ql)?:/.test(address) ? openPostgres(address) : openSqlite(address.replace(/^sqlite:/, ''));
}
