import type { Limited, Quota } from '../../../payments/limits.ts';
import { countedAhead } from '../../ahead.ts';
import type { Database } from '../file/database.ts';
import { guarded } from '../file/errors.ts';
import { addMoment, createLoneMoments, lastMoment, type Moments, removeMoment, removeUntil } from './moments.ts';

/** Parts of other transactions: which quota is used up, counting an attempt, and giving one back of which nothing was sent. */
export type SqliteQuotas = {
  limited(quotas: readonly Quota[], at: string): Limited | undefined;
  count(quotas: readonly Quota[], at: string): void;
  uncount(quotas: readonly Quota[], at: string): void;
  /** Forgets at most `limit` attempts that were counted before this, and says how many. */
  forget(before: string, limit: number): number;
};

/**
 * Counted attempts. Each is one row of the file, and the moments of each key stand in memory: finding them in an index cost
 * more than anything else of a payment's write (`npm run bench -- relay`).
 */
export function sqliteQuotas(db: Database): SqliteQuotas {
  const sql = {
    all: db.prepare('SELECT at, keys FROM counted ORDER BY at'),
    insert: db.prepare('INSERT INTO counted (at, keys) VALUES (?, ?)'),
    last: db.prepare('SELECT n FROM counted WHERE at = ? AND keys = ? ORDER BY n DESC LIMIT 1'),
    delete: db.prepare('DELETE FROM counted WHERE n = ?'),
    old: db.prepare('SELECT n, at, keys FROM counted WHERE at < ? ORDER BY at, n LIMIT ?'),
  };
  // Of each key that was counted either one moment or a list of them stands here.
  const lone = createLoneMoments();
  const counted = new Map<string, Moments>();

  const add = (key: string, moment: number): void => {
    const known = counted.get(key);
    const first = lone.get(key);
    if (known) addMoment(known, moment);
    else if (first === undefined) lone.add(key, moment);
    else {
      lone.delete(key);
      counted.set(key, { all: first <= moment ? [first, moment] : [moment, first], start: 0 });
    }
  };
  const remove = (key: string, moment: number): boolean => {
    const known = counted.get(key);
    if (!known) {
      if (lone.get(key) !== moment) return false;
      lone.delete(key);
      return true;
    }
    if (!removeMoment(known, moment)) return false;
    if (lastMoment(known, 1) === undefined) counted.delete(key);
    return true;
  };
  /** The moment that is the last but `most - 1` of a key's until a moment. */
  const blockingOf = (key: string, most: number, until: number): number | undefined => {
    const known = counted.get(key);
    if (known) return lastMoment(known, most, until);
    const first = most === 1 ? lone.get(key) : undefined;
    return first === undefined || first > until ? undefined : first;
  };
  /** Gives a row's moments back, those that still stand here. */
  const giveBack = (keys: readonly string[], at: string): void => {
    const moment = Date.parse(at);
    const removed = keys.filter((key) => remove(key, moment));
    db.undoBy(() => {
      for (const key of removed) add(key, moment);
    });
  };

  /** Everything is read: which is the newest, a clock that was ahead would tell wrong. What is old is soon forgotten. */
  const load = (): void => {
    for (const { at, keys } of sql.all.iterate()) {
      for (const key of keysIn(String(keys))) add(key, Date.parse(String(at)));
    }
  };
  guarded(load);

  return {
    limited(quotas, at) {
      const now = Date.parse(at);
      const ahead = Date.parse(countedAhead(at));
      for (const { name, key, most, window_ms } of quotas) {
        const blocking = blockingOf(key, most, ahead);
        const until = blocking === undefined ? 0 : blocking + window_ms;
        if (until > now) return { kind: 'limited', limit: name, until: new Date(until).toISOString() };
      }
      return undefined;
    },
    count(quotas, at) {
      const moment = Date.parse(at);
      sql.insert.run(at, JSON.stringify(keysOf(quotas)));
      for (const { key, window_ms } of quotas) {
        const known = counted.get(key);
        // An account's window is short, and many attempts are in it: what has left it is not kept until its row goes.
        if (known) removeUntil(known, moment - window_ms);
        add(key, moment);
      }
      db.undoBy(() => {
        for (const { key } of quotas) remove(key, moment);
      });
    },
    uncount(quotas, at) {
      const keys = keysOf(quotas);
      const n = sql.last.get(at, JSON.stringify(keys))?.n;
      if (n === undefined || n === null) return;
      sql.delete.run(n);
      giveBack(keys, at);
    },
    forget(before, limit) {
      const old = sql.old.all(before, limit);
      for (const { n, at, keys } of old) {
        sql.delete.run(n ?? 0);
        giveBack(keysIn(String(keys)), String(at));
      }
      return old.length;
    },
  };
}

function keysOf(quotas: readonly Quota[]): string[] {
  return quotas.map(({ key }) => key);
}

function keysIn(json: string): string[] {
  const keys: unknown = JSON.parse(json);
  return Array.isArray(keys) ? keys.map(String) : [];
}
