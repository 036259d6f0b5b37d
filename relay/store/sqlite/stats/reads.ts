import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { type CountedRefund, PAGE, type StatsReads } from '../../stats/search.ts';

/** A page of attempts in the order in which they began: their index has the rowid behind the time. */
export const attemptPage = `SELECT rowid AS n, started_at, data FROM attempts INDEXED BY attempts_started
  WHERE account = ? AND (started_at, rowid) > (?, ?) AND started_at < ? ORDER BY started_at, rowid LIMIT ${PAGE}`;

/** A page of operations, each with its refunds that count; one that has none is there, too. */
export const refundPage = `SELECT o.n, o.created_at, r.currency, r.amount FROM (
    SELECT rowid AS n, id, created_at FROM operations INDEXED BY operations_old
    WHERE (created_at, rowid) > (?, ?) AND created_at < ? AND account = ? ORDER BY created_at, rowid LIMIT ${PAGE}) AS o
  LEFT JOIN refunds AS r ON r.operation_id = o.id AND r.counts = 1 ORDER BY o.created_at, o.n`;

/** Reads an SQLite file for figures. Whoever else uses the thread gets it between two pages. */
export function sqliteStatsReads(db: DatabaseSync): StatsReads {
  return {
    async *attempts({ account, from, to }) {
      const page = db.prepare(attemptPage);
      for (let after: [at: string, rowid: number] = [from, -1]; ; await setImmediate()) {
        const rows = page.all(account, ...after, to);
        yield rows.map(({ data }) => String(data));
        const last = rows.at(-1);
        if (!last || rows.length < PAGE) return;
        after = [String(last.started_at), Number(last.n)];
      }
    },
    async *refunds({ account, from, to }) {
      const page = db.prepare(refundPage);
      page.setReadBigInts(true);
      for (let after: [at: string, rowid: number] = [from, -1]; ; await setImmediate()) {
        const rows = page.all(...after, to, account);
        yield rows.flatMap(({ created_at, currency, amount }): CountedRefund[] =>
          typeof amount === 'bigint' ? [{ created_at: String(created_at), currency: String(currency), amount }] : [],
        );
        const last = rows.at(-1);
        if (!last) return;
        after = [String(last.created_at), Number(last.n)];
      }
    },
  };
}
