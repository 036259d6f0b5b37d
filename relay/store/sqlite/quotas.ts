import type { Limited, Quota } from '../../payments/limits.ts';
import type { Database } from './database.ts';

/** Parts of other transactions: which quota is used up, counting an attempt, and giving one back of which nothing was sent. */
export type SqliteQuotas = {
  limited(quotas: readonly Quota[], at: string): Limited | undefined;
  count(quotas: readonly Quota[], at: string): void;
  uncount(quotas: readonly Quota[], at: string): void;
  /** Forgets at most `limit` attempts that were counted before this, and says how many. */
  forget(before: string, limit: number): number;
};

/**
 * Counted attempts. Each is one row of the file, and the moments of each key stand in memory, in the order in which they
 * were counted: finding them in an index cost more than anything else of a payment's write (`npm run bench -- relay`).
 */
export function sqliteQuotas(db: Database): SqliteQuotas {
  const sql = {
    since: db.prepare('SELECT at, keys FROM counted WHERE at >= ? ORDER BY at, n'),
    insert: db.prepare('INSERT INTO counted (at, keys) VALUES (?, ?)'),
    last: db.prepare('SELECT n FROM counted WHERE at = ? AND keys = ? ORDER BY n DESC LIMIT 1'),
    delete: db.prepare('DELETE FROM counted WHERE n = ?'),
    old: db.prepare('SELECT n, at, keys FROM counted WHERE at < ? ORDER BY at, n LIMIT ?'),
  };
  const moments = new Map<string, number[]>();

  const add = (key: string, at: number): void => {
    const known = moments.get(key);
    if (known) known.push(at);
    else moments.set(key, [at]);
  };
  const remove = (key: string, at: number): void => {
    const known = moments.get(key);
    const index = known?.lastIndexOf(at) ?? -1;
    if (index >= 0) known?.splice(index, 1);
    if (known?.length === 0) moments.delete(key);
  };
  /** Adds or removes now, and the other way round should the change be undone. */
  const change = (keys: readonly string[], at: string, by: typeof add, undo: typeof add): void => {
    const moment = Date.parse(at);
    for (const key of keys) by(key, moment);
    db.undoBy(() => {
      for (const key of keys) undo(key, moment);
    });
  };
  const keysOf = (quotas: readonly Quota[]): string[] => quotas.map(({ key }) => key);

  for (const { at, keys } of db.all(sql.since, [''], ({ at, keys }) => ({ at: String(at), keys: String(keys) }))) {
    for (const key of keysIn(keys)) add(key, Date.parse(at));
  }

  return {
    limited(quotas, at) {
      for (const { name, key, most, window_ms } of quotas) {
        const blocking = moments.get(key)?.at(-most);
        const until = blocking === undefined ? 0 : blocking + window_ms;
        if (until > Date.parse(at)) return { kind: 'limited', limit: name, until: new Date(until).toISOString() };
      }
      return undefined;
    },
    count(quotas, at) {
      const keys = keysOf(quotas);
      sql.insert.run(at, JSON.stringify(keys));
      change(keys, at, add, remove);
    },
    uncount(quotas, at) {
      const keys = keysOf(quotas);
      const n = sql.last.get(at, JSON.stringify(keys))?.n;
      if (n === undefined || n === null) return;
      sql.delete.run(n);
      change(keys, at, remove, add);
    },
    forget(before, limit) {
      const old = sql.old.all(before, limit);
      for (const { n, at, keys } of old) {
        sql.delete.run(n ?? 0);
        change(keysIn(String(keys)), String(at), remove, add);
      }
      return old.length;
    },
  };
}

function keysIn(json: string): string[] {
  const keys: unknown = JSON.parse(json);
  return Array.isArray(keys) ? keys.map(String) : [];
}
