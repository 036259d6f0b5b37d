import { join } from 'node:path';
import type { StatsStore } from '../../facets/stats.ts';
import type { Row } from '../../rows.ts';
import { spanFrom } from '../../stats/rows.ts';
import type { StatsSpan, StatsStep, StoredStats } from '../../stats/search.ts';
import { claimed, lastStep, tallyUntil } from '../../stats/step.ts';
import { createThread } from '../../stats/threads.ts';
import type { Database } from '../server/database.ts';

/** For how long writers that began before a claim are waited for, and the pause between two looks. */
const WRITERS_MS = 5000;
const WRITERS_PAUSE_MS = 20;

/** How long other relays leave the next step to the one that takes it. */
const LEASE_MS = 60_000;

/** Figures of a database, computed by a thread that has a connection of its own. `close` ends it. */
export function postgresStats(
  db: Database,
  address: string,
): Pick<StatsStore, 'get' | 'refresh'> & { close(): Promise<void> } {
  const thread = createThread(join(import.meta.dirname, 'stats-thread.ts'), { address });
  return {
    get: (search) => thread.ask<StoredStats>({ kind: 'figures', search }),
    refresh: async (now) => {
      const [row] = await db.read(sql.span);
      // It may be asked for figures at any moment.
      if (row) thread.start();
      const span = await claim(db, row, now);
      if (!span || !(await writersEnded(db))) return false;
      const isEmpty = span.since === span.until && (await db.read(sql.any)).length === 0;
      const step = isEmpty ? lastStep(span) : await thread.ask<StatsStep | undefined>({ kind: 'step', span });
      return step !== undefined && write(db, step);
    },
    close: () => thread.close(),
  };
}

/** What the tallies are at, once changes are noted; undefined where there is nothing to do, or another relay does it. */
async function claim(db: Database, row: Row | undefined, now: string): Promise<StatsSpan | undefined> {
  const span = spanFrom(row);
  const next = claimed(span, tallyUntil(now)) ?? { ...span, version: span.version + 1 };
  const hasWork = next.claimed !== span.claimed || next.until < next.claimed || next.since !== '' || row?.has_changes;
  if (!hasWork) return undefined;
  const until = new Date(Date.parse(now) + LEASE_MS).toISOString();
  const leased = await db.write([sql.claim, next.since, next.until, next.claimed, until, now, span.version]);
  return leased.length > 0 ? next : undefined;
}

/**
 * Waits until no transaction is left that wrote what is counted before the claim was committed: only those may not note what
 * they change. False where some take too long.
 */
async function writersEnded(db: Database): Promise<boolean> {
  const end = performance.now() + WRITERS_MS;
  const writers = async (): Promise<string[]> => (await db.read(sql.writers)).map(({ tx }) => String(tx));
  let before = await writers();
  while (before.length > 0) {
    if (performance.now() > end) return false;
    await new Promise((done) => setTimeout(done, WRITERS_PAUSE_MS));
    const now = new Set(await writers());
    before = before.filter((tx) => now.has(tx));
  }
  return true;
}

/** False where others changed the tallies meanwhile. */
function write(db: Database, step: StatsStep): Promise<boolean> {
  const { version, since, until, periods, tallies, counted } = step;
  return db.transaction(async (run) => {
    const [moved = []] = await run([sql.move, since, until, version]);
    if (moved.length === 0) return false;
    await run(
      [sql.drop, periods],
      [
        sql.add,
        tallies.map(({ period }) => period),
        tallies.map(({ account }) => account),
        tallies.map(({ tally }) => tally),
      ],
      [sql.counted, counted],
    );
    return true;
  });
}

const sql = {
  span: {
    name: 'stats-span',
    text: `SELECT since, until, claimed, version, EXISTS (SELECT 1 FROM turnpike.stats_changes WHERE hour < left(until, 13)) AS has_changes
      FROM turnpike.stats_span WHERE id = 1`,
  },
  any: {
    name: 'stats-any',
    text: `SELECT 1 WHERE EXISTS (SELECT 1 FROM turnpike.attempts) OR EXISTS (SELECT 1 FROM turnpike.operations)`,
  },
  claim: {
    name: 'claim-stats',
    text: `INSERT INTO turnpike.stats_span AS s (id, since, until, claimed, leased_until, version) VALUES (1, $1, $2, $3, $4, 1)
      ON CONFLICT (id) DO UPDATE SET since = $1, until = $2, claimed = $3, leased_until = $4, version = s.version + 1
        WHERE s.version = $6 AND (s.leased_until IS NULL OR s.leased_until <= $5) RETURNING version`,
  },
  writers: {
    name: 'stats-writers',
    text: `SELECT DISTINCT virtualtransaction AS tx FROM pg_locks WHERE locktype = 'relation' AND granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND relation IN ('turnpike.attempts'::regclass, 'turnpike.operations'::regclass, 'turnpike.refunds'::regclass)
      AND mode IN ('RowExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')`,
  },
  move: {
    name: 'move-stats',
    text: `UPDATE turnpike.stats_span SET since = $1, until = $2, leased_until = NULL, version = version + 1
      WHERE id = 1 AND version = $3 RETURNING version`,
  },
  drop: { name: 'drop-tallies', text: 'DELETE FROM turnpike.stats_tallies WHERE period = ANY ($1::text[])' },
  add: {
    name: 'add-tallies',
    text: `INSERT INTO turnpike.stats_tallies (period, account, tally)
      SELECT * FROM unnest($1::text[], $2::text[], $3::text[])`,
  },
  counted: { name: 'counted-changes', text: 'DELETE FROM turnpike.stats_changes WHERE seq = ANY ($1::bigint[])' },
};
