import type { Clock } from './postgres/server/database.ts';
import type { Store } from './store.ts';

/**
 * Opens the store that the configuration names: `sqlite:PATH`, `sqlite::memory:` or `postgres://…`. Rejects with
 * StoreError.
 * @param broken called with the system's code after a failure of this machine's disk: the content of the files is unknown then
 * @param decides whose clock decides what is due and leased in PostgreSQL
 * @param reread reads the address again if PostgreSQL refuses its password; undefined if it cannot be read
 */
export async function openStore(
  address: string,
  broken?: (code: string) => void,
  decides: Clock = 'server',
  reread: () => string | undefined = () => undefined,
): Promise<Store> {
  // Only the code of one database is loaded.
  if (/^postgres(?:ql)?:/.test(address)) {
    const { openPostgres } = await import('./postgres/open.ts');
    return openPostgres(address, decides, reread);
  }
  const { openSqlite } = await import('./sqlite/open.ts');
  return openSqlite(address.replace(/^sqlite:/, ''), broken);
}
