import type { DatabaseSync } from 'node:sqlite';
import type { Failing } from './relay-process.ts';

/**
 * Makes SQLite refuse to commit: triggers add a row whose foreign key refers to nothing, which SQLite checks at the end
 * of the transaction.
 */
export function failingCommits(db: DatabaseSync): Failing {
  db.exec(`CREATE TEMP TABLE empty_table (id INTEGER PRIMARY KEY);
    CREATE TEMP TABLE refused_rows (id INTEGER REFERENCES empty_table (id) DEFERRABLE INITIALLY DEFERRED);`);
  const changes = ['orders', 'sessions', 'attempts', 'operations'].flatMap((table) =>
    ['INSERT', 'UPDATE'].map((change) => ({
      name: `refuse_${table}_${change}`,
      on: `AFTER ${change} ON main.${table}`,
    })),
  );
  let calls = 0;
  return {
    begin() {
      calls += 1;
      if (calls > 1) return;
      for (const { name, on } of changes)
        db.exec(`CREATE TEMP TRIGGER ${name} ${on} BEGIN INSERT INTO refused_rows VALUES (1); END`);
    },
    end() {
      calls -= 1;
      if (calls > 0) return;
      for (const { name } of changes) db.exec(`DROP TRIGGER temp.${name}`);
    },
  };
}
