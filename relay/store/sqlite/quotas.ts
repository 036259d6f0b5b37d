import type { Limited, Quota } from '../../payments/limits.ts';
import type { Database } from './database.ts';

/** Parts of other transactions: which quota is used up, counting an attempt, and giving one back of which nothing was sent. */
export type SqliteQuotas = {
  limited(quotas: readonly Quota[], at: string): Limited | undefined;
  count(quotas: readonly Quota[], at: string): void;
  uncount(quotas: readonly Quota[], at: string): void;
};

/**
 * Counted attempts. Those of one key are numbered, so that the one that would have to be out of the window for another to
 * be let in is found by its number, however many there are.
 */
export function sqliteQuotas(db: Database): SqliteQuotas {
  const sql = {
    last: db.prepare('SELECT n FROM tries WHERE key = ? ORDER BY n DESC LIMIT 1'),
    at: db.prepare('SELECT at FROM tries WHERE key = ? AND n = ?'),
    insert: db.prepare('INSERT INTO tries (key, n, at) VALUES (?, ?, ?)'),
    counted: db.prepare('SELECT n FROM tries WHERE key = ? AND at = ? ORDER BY n DESC LIMIT 1'),
    delete: db.prepare('DELETE FROM tries WHERE key = ? AND n = ?'),
    later: db.prepare('SELECT n FROM tries WHERE key = ? AND n > ? ORDER BY n'),
    renumber: db.prepare('UPDATE tries SET n = n - 1 WHERE key = ? AND n = ?'),
  };
  const lastOf = (key: string): number => Number(sql.last.get(key)?.n ?? 0);
  return {
    limited(quotas, at) {
      for (const { name, key, most, window_ms } of quotas) {
        const blocking = sql.at.get(key, lastOf(key) + 1 - most)?.at;
        const until = blocking === undefined ? 0 : Date.parse(String(blocking)) + window_ms;
        if (until > Date.parse(at)) return { kind: 'limited', limit: name, until: new Date(until).toISOString() };
      }
      return undefined;
    },
    count(quotas, at) {
      for (const { key } of quotas) sql.insert.run(key, lastOf(key) + 1, at);
    },
    uncount(quotas, at) {
      for (const { key } of quotas) {
        const n = sql.counted.get(key, at)?.n;
        if (n === undefined || n === null) continue;
        sql.delete.run(key, n);
        for (const row of sql.later.all(key, n)) sql.renumber.run(key, row.n ?? 0);
      }
    },
  };
}
