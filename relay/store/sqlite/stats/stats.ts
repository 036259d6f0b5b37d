import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { StatsStore } from '../../facets/stats.ts';
import { collect } from '../../stats/collect.ts';
import { spanFrom } from '../../stats/rows.ts';
import type { StatsSearch, StatsSpan, StatsStep, StoredStats } from '../../stats/search.ts';
import { claimed, lastStep, nextStep, tallyUntil } from '../../stats/step.ts';
import { createThread } from '../../stats/threads.ts';
import type { Database } from '../file/database.ts';
import { storeError } from '../file/errors.ts';
import { sqliteStatsReads } from './reads.ts';

type SqliteStats = Pick<StatsStore, 'get' | 'refresh'> & { close(): Promise<void> };

/** Who reads for figures. */
type Reader = {
  start(): void;
  figures(search: StatsSearch): Promise<StoredStats>;
  step(span: StatsSpan): Promise<StatsStep | undefined>;
  close(): Promise<void>;
};

/** Figures of a file, computed by a thread that only reads it. `close` ends it. */
export function sqliteStats(db: Database, path: string): SqliteStats {
  const thread = createThread(join(import.meta.dirname, 'stats-thread.ts'), { path });
  return statsOf(db, {
    start: () => thread.start(),
    figures: (search) => thread.ask({ kind: 'figures', search }),
    step: (span) => thread.ask({ kind: 'step', span }),
    close: () => thread.close(),
  });
}

/** Figures of a store in memory, which no other thread can read. */
export function sqliteStatsInMemory(db: Database, file: DatabaseSync): SqliteStats {
  const reads = sqliteStatsReads(file);
  const told = async <Result>(answer: Promise<Result>): Promise<Result> => {
    try {
      return await answer;
    } catch (error) {
      throw storeError(error);
    }
  };
  return statsOf(db, {
    start: () => undefined,
    figures: (search) => told(collect(reads, search)),
    step: (span) => told(nextStep(reads, span)),
    close: async () => undefined,
  });
}

function statsOf(db: Database, reader: Reader): SqliteStats {
  const sql = statements(db);

  /** What the tallies are at, once every change of the hours that may be tallied now is noted. */
  const claim = async (now: string): Promise<StatsSpan> => {
    const [known] = await db.read(sql.span, [], spanFrom);
    // It may be asked for figures at any moment.
    if (known) reader.start();
    const span = known ?? spanFrom(undefined);
    const next = claimed(span, tallyUntil(now));
    if (!next) return span;
    await db.write(() => void sql.claim.run(next.since, next.until, next.claimed, span.version));
    return next;
  };

  const stepOf = async (span: StatsSpan): Promise<StatsStep | undefined> => {
    const { since, until } = span;
    const isWhole = since === '' && until === span.claimed;
    if (isWhole && db.all(sql.changed, [until.slice(0, 13)], () => true).length === 0) return undefined;
    const isEmpty = [sql.attempts, sql.operations].every((any) => db.all(any, [], ({ found }) => found)[0] === null);
    return isEmpty && since === until ? lastStep(span) : reader.step(span);
  };

  const write = ({ version, since, until, periods, tallies, counted }: StatsStep): boolean => {
    if (sql.move.run(since, until, version).changes !== 1) return false;
    for (const period of periods) sql.drop.run(period);
    for (const { account, period, tally } of tallies) sql.add.run(period, account, tally);
    for (const seq of counted) sql.counted.run(seq);
    return true;
  };

  return {
    get: (search) => reader.figures(search),
    refresh: async (now) => {
      const step = await stepOf(await claim(now));
      return step !== undefined && db.write(() => write(step));
    },
    close: () => reader.close(),
  };
}

function statements(db: Database) {
  return {
    span: db.prepare('SELECT since, until, claimed, version FROM stats_span WHERE id = 1'),
    changed: db.prepare('SELECT 1 FROM stats_changes WHERE hour < ? LIMIT 1'),
    attempts: db.prepare('SELECT min(account) AS found FROM attempts'),
    operations: db.prepare('SELECT min(created_at) AS found FROM operations'),
    claim: db.prepare(`INSERT INTO stats_span (id, since, until, claimed, version) VALUES (1, ?1, ?2, ?3, 1)
      ON CONFLICT (id) DO UPDATE SET since = ?1, until = ?2, claimed = ?3, version = version + 1 WHERE version = ?4`),
    move: db.prepare('UPDATE stats_span SET since = ?, until = ?, version = version + 1 WHERE id = 1 AND version = ?'),
    drop: db.prepare('DELETE FROM stats_tallies WHERE period = ?'),
    add: db.prepare('INSERT INTO stats_tallies (period, account, tally) VALUES (?, ?, ?)'),
    counted: db.prepare('DELETE FROM stats_changes WHERE seq = ?'),
  };
}
