import { join } from 'node:path';
import type { TestPostgres } from '../../test/support/stores/postgres.ts';
import type { RelayOptions, Surroundings } from './measure.ts';
import { postgresCpu } from './postgres-cpu.ts';

/** The kinds of store, as `--only` names them. */
export const storeNames = ['sqlite', 'postgres'] as const;
export type StoreName = (typeof storeNames)[number];

/** Their names in reports. */
export const storeTitles: Record<StoreName, string> = { sqlite: 'SQLite', postgres: 'PostgreSQL' };

/** The options of a relay with a new, empty store of this kind. */
export async function newStore(
  store: StoreName,
  surroundings: Surroundings,
  postgres: TestPostgres | undefined,
): Promise<RelayOptions> {
  if (store === 'sqlite' || !postgres) return { store: `sqlite:${join(surroundings.folder(), 'relay.db')}` };
  const address = await postgres.database();
  return { store: address, databaseCpu: await postgresCpu(postgres, address) };
}
