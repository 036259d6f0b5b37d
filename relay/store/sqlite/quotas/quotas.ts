import type { Limited, Quota } from '../../../payments/attempt.ts';
import type { QuotaStore } from '../../facets/quotas.ts';
import { countedAhead } from '../../leases.ts';
import type { SqliteDatabase } from '../file/database.ts';
import { guarded } from '../file/errors.ts';

/**
 * Parts of other transactions: find a quota that is used up, count an attempt, and take back the count of an attempt
 * that was not sent.
 */
export type SqliteQuotas = {
  limited(quotas: readonly Quota[], at: string): Limited | undefined;
  count(quotas: readonly Quota[], at: string): void;
  uncount(quotas: readonly Quota[], at: string): void;
  /** Deletes at most `limit` attempts that were counted before this moment, and returns their number. */
  forget(before: string, limit: number): number;
};

/**
 * Counted attempts. Each is one row of the file, and the times of each key are in memory: finding them in an index cost
 * more than anything else in a payment's write (`npm run bench -- relay`).
 */
export function sqliteQuotas(db: SqliteDatabase): SqliteQuotas {
  const sql = {
    all: db.prepare('SELECT at, keys FROM counted ORDER BY at'),
    insert: db.prepare('INSERT INTO counted (at, keys) VALUES (?, ?)'),
    last: db.prepare('SELECT n FROM counted WHERE at = ? AND keys = ? ORDER BY n DESC LIMIT 1'),
    delete: db.prepare('DELETE FROM counted WHERE n = ?'),
    old: db.prepare('SELECT n, at, keys FROM counted WHERE at < ? ORDER BY at, n LIMIT ?'),
  };
  /** The sorted times (milliseconds since 1970) of each key. */
  const counted = new Map<string, number[]>();

  const add = (key: string, moment: number): void => {
    const moments = counted.get(key);
    if (moments) moments.splice(moments.findLastIndex((one) => one <= moment) + 1, 0, moment);
    else counted.set(key, [moment]);
  };
  const remove = (key: string, moment: number): boolean => {
    const moments = counted.get(key);
    const place = moments?.indexOf(moment) ?? -1;
    if (!moments || place < 0) return false;
    moments.splice(place, 1);
    if (moments.length === 0) counted.delete(key);
    return true;
  };
  /**
   * Removes the times of a key up to this one, once they are half of its list, so that each removal moves few others.
   */
  const removeUntil = (key: string, moment: number): void => {
    const moments = counted.get(key);
    const middle = moments?.[moments.length >> 1];
    if (!moments || middle === undefined || middle > moment) return;
    moments.splice(0, moments.findLastIndex((one) => one <= moment) + 1);
  };
  /** The `max`th last time of a key before a moment. */
  const blockingOf = (key: string, max: number, until: number): number | undefined => {
    const moments = counted.get(key) ?? [];
    return moments[moments.findLastIndex((one) => one <= until) + 1 - max];
  };
  /** Takes back the times of a row, if they are still in memory. */
  const giveBack = (keys: readonly string[], at: string): void => {
    const moment = Date.parse(at);
    const removed = keys.filter((key) => remove(key, moment));
    db.undoBy(() => {
      for (const key of removed) add(key, moment);
    });
  };

  /** Every time is read, because a clock that was ahead may have written the newest one. Old times are soon deleted. */
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
      for (const { name, key, max, window_ms } of quotas) {
        const blocking = blockingOf(key, max, ahead);
        const until = blocking === undefined ? 0 : blocking + window_ms;
        if (until > now) return { kind: 'limited', limit: name, until: new Date(until).toISOString() };
      }
      return undefined;
    },
    count(quotas, at) {
      const moment = Date.parse(at);
      sql.insert.run(at, JSON.stringify(keysOf(quotas)));
      for (const { key, window_ms } of quotas) {
        // The window of an account is short and contains many attempts: times outside of it are dropped before their
        // rows are deleted.
        removeUntil(key, moment - window_ms);
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

/** Quotas of tries that are not payments. */
export function quotaStore(db: SqliteDatabase, quotas: SqliteQuotas): QuotaStore {
  return {
    check: async (limits, at) => quotas.limited(limits, at),
    count: (counted, at) =>
      db.write<Limited | undefined>(() => {
        const limited = quotas.limited(counted, at);
        if (!limited) quotas.count(counted, at);
        return limited;
      }),
    uncount: (counted, at) => db.write(() => quotas.uncount(counted, at)),
  };
}

function keysOf(quotas: readonly Quota[]): string[] {
  return quotas.map(({ key }) => key);
}

function keysIn(json: string): string[] {
  const keys: unknown = JSON.parse(json);
  return Array.isArray(keys) ? keys.map(String) : [];
}
