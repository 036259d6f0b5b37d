import type { Store } from '../store.ts';
import { postgresEvents } from './events.ts';
import { postgresFigures } from './figures.ts';
import { postgresKeys } from './keys.ts';
import { openMigrated } from './migrations.ts';
import { postgresNotifications } from './notifications.ts';
import { postgresOperations } from './operations.ts';
import { postgresOrders } from './orders.ts';
import { postgresPurge } from './purge.ts';
import { postgresSessions } from './sessions.ts';

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
    ...postgresSessions(db),
    ...postgresOrders(db),
    ...postgresNotifications(db),
    ...postgresOperations(db),
    ...postgresFigures(db),
    ...postgresPurge(db),
    check: async () => void (await db.write([beat])),
    close: () => db.close(),
  };
}
