import { postgresEvents } from './postgres-events.ts';
import { postgresFigures } from './postgres-figures.ts';
import { postgresKeys } from './postgres-keys.ts';
import { openMigrated } from './postgres-migrations.ts';
import { postgresNotifications } from './postgres-notifications.ts';
import { postgresOperations } from './postgres-operations.ts';
import { postgresPurge } from './postgres-purge.ts';
import { postgresQuotas } from './postgres-quotas.ts';
import { postgresSessions } from './postgres-sessions.ts';
import type { Store } from './store.ts';

/** A real write: a disk that is full can still be read, and a server that stands by too. */
const beat = {
  name: 'check',
  text: `INSERT INTO turnpike.pulse AS p (id, beats) VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET beats = p.beats + 1`,
};

/**
 * Opens (and where needed makes or migrates) the store in a PostgreSQL database, which several relays may share. Every
 * method rejects with StoreError within about five seconds when the server is gone or hangs, and works again when it is
 * back. A connection that is lost at the very commit leaves open whether it was written; see `Database.transaction`.
 * Rejects with StoreError, whose cause never holds the address.
 */
export async function openPostgres(address: string): Promise<Store> {
  const db = await openMigrated(address);
  return {
    ...postgresEvents(db),
    ...postgresKeys(db),
    ...postgresSessions(db, postgresQuotas(db)),
    ...postgresNotifications(db),
    ...postgresOperations(db),
    ...postgresFigures(db),
    ...postgresPurge(db),
    check: async () => void (await db.write([beat])),
    close: () => db.close(),
  };
}
