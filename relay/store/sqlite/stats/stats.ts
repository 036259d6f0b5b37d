import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { collect } from '../../stats/collect.ts';
import { createThreads } from '../../stats/threads.ts';
import type { Store } from '../../store.ts';
import { storeError } from '../file/errors.ts';
import { sqliteStatsReads } from './reads.ts';

/** Figures of a file, computed by threads that only read it. `close` ends them. */
export function sqliteStats(path: string): Pick<Store, 'stats'> & { close(): Promise<void> } {
  const threads = createThreads(join(import.meta.dirname, 'stats-thread.ts'));
  return { stats: (search) => threads.ask({ path, search }), close: () => threads.close() };
}

/** Figures of a store in memory, which no other thread can read. */
export function sqliteStatsInMemory(db: DatabaseSync): Pick<Store, 'stats'> & { close(): Promise<void> } {
  return {
    stats: async (search) => {
      try {
        return await collect(sqliteStatsReads(db), search);
      } catch (error) {
        throw storeError(error);
      }
    },
    close: async () => undefined,
  };
}
