import { join } from 'node:path';
import { createThreads } from '../../stats/threads.ts';
import type { Store } from '../../store.ts';

/** Figures of a database, computed by threads that have a connection of their own. `close` ends them. */
export function postgresStats(address: string): Pick<Store, 'stats'> & { close(): Promise<void> } {
  const threads = createThreads(join(import.meta.dirname, 'stats-thread.ts'));
  return { stats: (search) => threads.ask({ address, search }), close: () => threads.close() };
}
