import type { StatsStore } from '../facets/stats.ts';
import type { StatsReader } from '../stats/reader.ts';
import type { StatsReads, StatsSpan, StatsStep } from '../stats/search.ts';
import { claimedAt, nextStep } from '../stats/step.ts';
import { ask, type Plan, run, type Sql } from './plan.ts';

/** How relays that share a database take steps in turn: in SQL, where `$5` is now and `$6` the end of a turn. */
export type StatsTurns = {
  /** The condition that no other relay takes the next step. */
  isFree: string;
  /** What is set besides for a turn that begins, and for one that ends. */
  begin: string;
  end: string;
  /** Waits until no transaction is left that began before a claim; false where some take too long. */
  writersEnded(): Promise<boolean>;
};

/** How long other relays leave the next step to the one that takes it. */
const TURN_MS = 60_000;

/** Figures, and the tallies that they are computed from. */
export function stats(
  db: Sql,
  reads: StatsReads,
  reader: StatsReader,
  turns: StatsTurns,
): Pick<StatsStore, 'get' | 'refresh'> {
  const sql = statements(db, turns);

  /** What the tallies are at, once changes are noted; undefined where there is nothing to do, or another relay does it. */
  const claim = async (now: string): Promise<StatsSpan | undefined> => {
    const [row] = await db.read(sql.span);
    // It may be asked for figures at any moment.
    if (row) reader.start();
    const known = {
      ...{ since: String(row?.since ?? ''), until: String(row?.until ?? ''), claimed: String(row?.claimed ?? '') },
      version: Number(row?.version ?? 0),
    };
    const { since, until, claimed, version } = claimedAt(known, now);
    if (claimed === known.claimed && until === claimed && since === '' && !row?.has_changes) return undefined;
    const end = new Date(Date.parse(now) + TURN_MS).toISOString();
    return db.write(function* (): Plan<StatsSpan | undefined> {
      yield* run([sql.first]);
      const written = yield* ask(sql.claim, since, until, claimed, version, now, end);
      return written.length === 0 ? undefined : { since, until, claimed, version: version + 1 };
    });
  };

  /** False where others changed the tallies meanwhile. */
  const write = ({ span, periods, tallies, counted }: StatsStep): Promise<boolean> =>
    db.write(function* (): Plan<boolean> {
      const moved = yield* ask(sql.move, span.since, span.until, span.version);
      if (moved.length === 0) return false;
      yield* run([sql.drop, periods], [sql.add, JSON.stringify(tallies)], [sql.counted, counted]);
      return true;
    });

  return {
    get: (search) => reader.figures(search),
    refresh: async (now) => {
      const span = await claim(now);
      if (!span || !(await turns.writersEnded())) return false;
      // A new store has nothing to count: it needs no thread.
      const isEmpty = span.since === span.until && (await reads.oldest()) === undefined;
      const step = await (isEmpty ? nextStep(reads, span) : reader.step(span));
      return step !== undefined && write(step);
    },
  };
}

function statements(db: Sql, { isFree, begin, end }: StatsTurns) {
  const { table, anyOf, anyNumberOf, records } = db.dialect;
  const [span, tallies, changes] = [table('stats_span'), table('stats_tallies'), table('stats_changes')];
  return {
    span: db.statement(
      'stats-span',
      `SELECT since, until, claimed, version, EXISTS (SELECT 1 FROM ${changes}
        WHERE hour < substr(until, 1, 13)) AS has_changes FROM ${span} WHERE id = 1`,
    ),
    first: db.statement(
      'first-stats',
      `INSERT INTO ${span} (id, since, until, claimed, version) VALUES (1, '', '', '', 0) ON CONFLICT (id) DO NOTHING`,
    ),
    claim: db.statement(
      'claim-stats',
      `UPDATE ${span} SET since = $1, until = $2, claimed = $3, version = version + 1${begin}
      WHERE id = 1 AND version = $4 AND ${isFree} RETURNING version`,
    ),
    move: db.statement(
      'move-stats',
      `UPDATE ${span} SET since = $1, until = $2, version = version + 1${end} WHERE id = 1 AND version = $3 RETURNING version`,
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
