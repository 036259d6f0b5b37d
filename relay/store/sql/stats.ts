import type { StatsStore } from '../facets/stats.ts';
import type { Row } from '../row.ts';
import type { StatsReader } from '../stats/reader.ts';
import type { StatsReads, StatsSpan, StatsStep } from '../stats/search.ts';
import { claimedAt, nextStep } from '../stats/step.ts';
import { ask, type Plan, run, type Sql, statementsOf } from './plan.ts';

/**
 * Figures, and the tallies from which they are computed. Relays on one database may take the same step at once: one of
 * them writes it.
 * @param writersEnded waits until no transaction is left that began before a claim; false if some take too long
 */
export function stats(
  db: Sql,
  reads: StatsReads,
  reader: StatsReader,
  writersEnded: () => Promise<boolean>,
): Pick<StatsStore, 'get' | 'refresh'> {
  const sql = statements(db);

  /** The span of the tallies after changes are recorded; undefined if there is nothing to do. */
  const claim = async (now: string): Promise<StatsSpan | undefined> => {
    const [row] = await db.read(sql.statsSpan);
    // Figures may be requested at any moment.
    if (row) reader.start();
    const [before, isChanged] = [spanFrom(row), row?.is_changed];
    const span = claimedAt(before, now);
    const { since, until, claimed, version } = span;
    if (claimed === before.claimed) return until < claimed || since !== '' || isChanged ? span : undefined;
    const written = await db.write(() => ask(sql.claimStats, since, until, claimed, version));
    return written.length === 0 ? undefined : { ...span, version: version + 1 };
  };

  /** False if another relay changed the tallies meanwhile. */
  const write = ({ span, periods, tallies, counted }: StatsStep): Promise<boolean> =>
    db.write(function* (): Plan<boolean> {
      const moved = yield* ask(sql.moveStats, span.since, span.until, span.version);
      if (moved.length === 0) return false;
      yield* run([sql.dropTallies, periods], [sql.addTallies, { records: tallies }], [sql.countedChanges, counted]);
      return true;
    });

  return {
    get: (search) => reader.figures(search),
    refresh: async (now) => {
      const span = await claim(now);
      if (!span || !(await writersEnded())) return false;
      // A new store has nothing to count, so it needs no thread.
      const isEmpty = span.since === span.until && (await reads.oldest()) === undefined;
      const step = await (isEmpty ? nextStep(reads, span) : reader.step(span));
      return step !== undefined && write(step);
    },
  };
}

/** The row of `stats_span`. */
function spanFrom({ since = '', until = '', claimed = '', version = 0 }: Row = {}): StatsSpan {
  return { since: String(since), until: String(until), claimed: String(claimed), version: Number(version) };
}

function statements(db: Sql) {
  const { table, anyOf, anyNumberOf, records } = db.dialect;
  const [span, tallies, changes] = [table('stats_span'), table('stats_tallies'), table('stats_changes')];
  return statementsOf(db.statement, {
    statsSpan: `SELECT since, until, claimed, version, EXISTS (SELECT 1 FROM ${changes}
        WHERE hour < substr(until, 1, 13)) AS is_changed FROM ${span} WHERE id = 1`,
    claimStats: `INSERT INTO ${span} AS s (id, since, until, claimed, version) VALUES (1, $1, $2, $3, 1)
      ON CONFLICT (id) DO UPDATE SET since = $1, until = $2, claimed = $3, version = s.version + 1
        WHERE s.version = $4 RETURNING version`,
    moveStats: `UPDATE ${span} SET since = $1, until = $2, version = version + 1 WHERE id = 1 AND version = $3 RETURNING version`,
    dropTallies: `DELETE FROM ${tallies} WHERE period ${anyOf('$1')}`,
    addTallies: `INSERT INTO ${tallies} (period, account, tally)
      SELECT period, account, tally FROM ${records('$1', 'given', 'period', 'account', 'tally')}`,
    countedChanges: `DELETE FROM ${changes} WHERE seq ${anyNumberOf('$1')}`,
  });
}
