import { openSqlite } from './sqlite.ts';
import type { Store } from './store.ts';

/** Opens the store that the configuration names: `sqlite:PATH` or `sqlite::memory:`. Rejects with StoreError. */
export async function openStore(address: string): Promise<Store> {
  return openSqlite(address.replace(/^sqlite:/, ''));
}
