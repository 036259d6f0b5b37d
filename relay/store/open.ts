import { openSqlite } from './sqlite.ts';
import type { Store } from './store.ts';

/** Opens the store that the configuration names (`sqlite:PATH` or `sqlite::memory:`). Throws StoreError. */
export function openStore(address: string): Store {
  return openSqlite(address.replace(/^sqlite:/, ''));
}
