import type { Limited, Quota } from '../store.ts';
import type { Database } from './database.ts';

/** Part of other transactions: counts an attempt against its quotas, or says which of them is used up. */
export type SqliteQuotas = { take(quotas: readonly Quota[], at: string): Limited | undefined };

/**
 * Counted attempts. Those of one key are numbered, so that the one that would have to be out of the window for another to
 * be let in is found by its number, however many there are.
 */
export function sqliteQuotas(db: Database): SqliteQuotas {
  const sql = {
    last: db.prepare('SELECT n FROM tries WHERE key = ? ORDER BY n DESC LIMIT 1'),
    at: db.prepare('SELECT at FROM tries WHERE key = ? AND n = ?'),
    insert: db.prepare('INSERT INTO tries (key, n, at) VALUES (?, ?, ?)'),
  };
  return {
    take(quotas, at) {
      const taken: [key: string, n: number, at: string][] = [];
      for (const { name, key, most, window_ms } of quotas) {
        const n = Number(sql.last.get(key)?.n ?? 0) + 1;
        const blocking = n > most ? sql.at.get(key, n - most)?.at : undefined;
        const until = blocking === undefined ? 0 : Date.parse(String(blocking)) + window_ms;
        if (until > Date.parse(at)) return { kind: 'limited', limit: name, until: new Date(until).toISOString() };
        taken.push([key, n, at]);
      }
      for (const row of taken) sql.insert.run(...row);
      return undefined;
    },
  };
}
