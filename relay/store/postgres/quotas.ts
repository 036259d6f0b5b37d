import type { Limited, Quota } from '../../payments/limits.ts';
import type { Row } from '../rows.ts';
import type { Step } from './database.ts';
import { lock, locks } from './locks.ts';

/**
 * Steps of other transactions about counted attempts. Those of one key are numbered, so that the one that would have to be
 * out of the window for another to be let in is found by its number, however many there are. Whoever counts locks the keys
 * first, so that all attempts with one thing wait for each other.
 */
export const quotaSteps = {
  lock: (quotas: readonly Quota[]): Step[] =>
    quotas.length === 0 ? [] : [[lock, quotas.map(({ key }) => locks.quota(key))]],
  /** Locks the keys, and finds in its second step which of them is used up; nothing where there are no quotas. */
  check: (quotas: readonly Quota[], at: string): Step[] =>
    quotas.length === 0 ? [] : [...quotaSteps.lock(quotas), quotaSteps.peek(quotas, at)],
  peek: (quotas: readonly Quota[], at: string): Step => [
    sql.peek,
    ...keysOf(quotas),
    quotas.map(mostOf),
    cutoffs(quotas, at),
  ],
  count: (quotas: readonly Quota[], at: string): Step[] =>
    quotas.length === 0 ? [] : [[sql.count, ...keysOf(quotas), at]],
  uncount: (quotas: readonly Quota[], at: string): Step[] => quotas.map(({ key }): Step => [sql.uncount, key, at]),
};

/** Which quota a row of `peek` found used up. */
export function limitedIn(quotas: readonly Quota[], row: Row | undefined): Limited | undefined {
  const quota = quotas[Number(row?.i) - 1];
  if (!quota) return undefined;
  const until = new Date(Date.parse(String(row?.blocking)) + quota.window_ms).toISOString();
  return { kind: 'limited', limit: quota.name, until };
}

const keysOf = (quotas: readonly Quota[]): [string[]] => [quotas.map(({ key }) => key)];
const mostOf = ({ most }: Quota): number => most;
const cutoffs = (quotas: readonly Quota[], at: string): string[] =>
  quotas.map(({ window_ms }) => new Date(Date.parse(at) - window_ms).toISOString());

const last = `coalesce((SELECT n FROM turnpike.tries WHERE tries.key = asked.key ORDER BY n DESC LIMIT 1), 0)`;

const sql = {
  peek: {
    name: 'peek-quotas',
    text: `WITH asked AS (SELECT key, most, cutoff, i, ${last} + 1 AS n
        FROM unnest($1::text[], $2::bigint[], $3::text[]) WITH ORDINALITY AS asked (key, most, cutoff, i))
      SELECT i, at AS blocking FROM asked JOIN turnpike.tries ON tries.key = asked.key
        AND tries.n = asked.n - asked.most WHERE at > cutoff COLLATE "C" ORDER BY i LIMIT 1`,
  },
  count: {
    name: 'count-quotas',
    text: `INSERT INTO turnpike.tries (key, n, at) SELECT key, ${last} + 1, $2 FROM unnest($1::text[]) AS asked (key)`,
  },
  // The others of its key keep their order and their numbers without a gap.
  uncount: {
    name: 'uncount-quota',
    text: `WITH gone AS (SELECT n FROM turnpike.tries WHERE key = $1 AND at = $2 ORDER BY n DESC LIMIT 1),
      moved AS (UPDATE turnpike.tries AS t SET at = next.at FROM turnpike.tries AS next, gone
        WHERE t.key = $1 AND t.n >= gone.n AND next.key = $1 AND next.n = t.n + 1)
      DELETE FROM turnpike.tries WHERE key = $1 AND EXISTS (SELECT 1 FROM gone)
        AND n = (SELECT max(n) FROM turnpike.tries WHERE key = $1)`,
  },
};
