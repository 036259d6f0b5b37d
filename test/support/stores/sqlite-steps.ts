import type { StatementSync } from 'node:sqlite';
import { onTestFinished, vi } from 'vitest';
import { openFile, sqliteStore } from '../../../relay/store/sqlite/open.ts';
import type { Store } from '../../../relay/store/store.ts';

declare module 'node:sqlite' {
  interface StatementSync {
    /** SQLite's counters of this statement's runs. Node's types do not include it yet. */
    stat(counter: 'vmStep'): number;
  }
}

/**
 * A store in a file or in memory, and the work of its statements: `steps` runs a function and returns the steps of
 * SQLite's virtual machine for it. They are the same on every machine, however busy it is. The store is closed after
 * the test.
 */
export function countedStore(path = ':memory:'): {
  store: Store;
  steps(work: () => Promise<unknown>): Promise<number>;
} {
  const db = openFile(path);
  const prepare = vi.spyOn(db, 'prepare');
  const store = sqliteStore(db);
  onTestFinished(() => store.close());
  const prepared = (): StatementSync[] =>
    prepare.mock.results.flatMap(({ type, value }) => (type === 'return' ? [value] : []));
  const taken = (): number => prepared().reduce((sum, statement) => sum + statement.stat('vmStep'), 0);
  return {
    store,
    async steps(work) {
      const before = taken();
      await work();
      return taken() - before;
    },
  };
}
