import type { StatsStore } from '../facets/stats.ts';
import type { StatsReader } from '../stats/reader.ts';
import type { StatsSpan, StatsStep } from '../stats/search.ts';
import { claimed, lastStep, tallyUntil } from '../stats/step.ts';
import { ask, type Plan, run, type Sql } from './plan.ts';
import { spanFrom } from './stats-reads.ts';

/** How relays that share a database take steps in turn. */
export type StatsTurns = {
  isShared: boolean;
  /** The condition that no other relay takes the next step at the time `$5`. */
  isFree: string;
  /** Leaves the next step to this relay, or to any other (null). */
  lease(now: string | null): Plan<void>;
  /** Waits until no transaction is left that began before a claim; false where some take too long. */
  writersEnded(): Promise<boolean>;
};

/** Figures, and the tallies that they are computed from. */
export function stats(db: Sql, reader: StatsReader, turns: StatsTurns): Pick<StatsStore, 'get' | 'refresh'> {
  const sql = statements(db, turns);

  /** What the tallies are at, once changes are noted; undefined where there is nothing to do, or another relay does it. */
  const claim = async (now: string): Promise<StatsSpan | undefined> => {
    const [row] = await db.read(sql.span);
    // It may be asked for figures at any moment.
    if (row) reader.start();
    const span = spanFrom(row);
    const moved = claimed(span, tallyUntil(now));
    const next = moved ?? { ...span, version: span.version + 1 };
    const { since, until } = next;
    const hasWork = next.claimed !== span.claimed || until < next.claimed || since !== '' || row?.has_changes;
    if (!hasWork) return undefined;
    if (!moved && !turns.isShared) return span;
    return db.write(function* (): Plan<StatsSpan | undefined> {
      const written = yield* ask(sql.claim, since, until, next.claimed, span.version, now);
      if (written.length === 0) return undefined;
      yield* turns.lease(now);
      return next;
    });
  };

  /** False where others changed the tallies meanwhile. */
  const write = ({ version, since, until, periods, tallies, counted }: StatsStep): Promise<boolean> =>
    db.write(function* (): Plan<boolean> {
      const moved = yield* ask(sql.move, since, until, version);
      if (moved.length === 0) return false;
      yield* turns.lease(null);
      yield* run([sql.drop, periods], [sql.add, JSON.stringify(tallies)], [sql.counted, counted]);
      return true;
    });

  return {
    get: (search) => reader.figures(search),
    refresh: async (now) => {
      const span = await claim(now);
      if (!span || !(await turns.writersEnded())) return false;
      const isEmpty = span.since === span.until && !(await db.finds(sql.any));
      const step = isEmpty ? lastStep(span) : await reader.step(span);
      return step !== undefined && write(step);
    },
  };
}

function statements(db: Sql, { isFree }: StatsTurns) {
  const { table, anyOf, anyNumberOf, records } = db.dialect;
  const [span, tallies, changes] = [table('stats_span'), table('stats_tallies'), table('stats_changes')];
  return {
    span: db.statement(
      'stats-span',
      `SELECT since, until, claimed, version, EXISTS (SELECT 1 FROM ${changes}
        WHERE hour < substr(until, 1, 13)) AS has_changes FROM ${span} WHERE id = 1`,
    ),
    any: db.statement(
      'stats-any',
      `SELECT 1 AS found WHERE (SELECT min(account) FROM ${table('attempts')}) IS NOT NULL
      OR (SELECT min(created_at) FROM ${table('operations')}) IS NOT NULL`,
    ),
    claim: db.statement(
      'claim-stats',
      `INSERT INTO ${span} AS s (id, since, until, claimed, version) VALUES (1, $1, $2, $3, 1)
      ON CONFLICT (id) DO UPDATE SET since = $1, until = $2, claimed = $3, version = s.version + 1
        WHERE s.version = $4 AND ${isFree} RETURNING version`,
    ),
    move: db.statement(
      'move-stats',
      `UPDATE ${span} SET since = $1, until = $2, version = version + 1 WHERE id = 1 AND version = $3 RETURNING version`,
    ),
    drop: db.statement('drop-tallies', `DELETE FROM ${tallies} WHERE period ${anyOf('$1')}`),
    add: db.statement(
      'add-tallies',
      `INSERT INTO ${tallies} (period, account, tally)
      SELECT period, account, tally FROM ${records('$1', 'given', 'period', 'account', 'tally')}`,
    ),
    counted: db.statement('counted-changes', `DELETE FROM ${changes} WHERE seq ${anyNumberOf('$1')}`),
  };
}
