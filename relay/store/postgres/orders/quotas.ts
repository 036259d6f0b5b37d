import type { Limited, Quota } from '../../../payments/attempt.ts';
import type { QuotaStore } from '../../facets/quotas.ts';
import type { PurgeStep } from '../../facets/retention.ts';
import { countedAhead } from '../../leases.ts';
import { askAll, type Plan } from '../../sql/plan.ts';
import type { Walked } from '../../sql/retention/walk.ts';
import type { PostgresDatabase } from '../server/database.ts';

/** Attempts that some quotas count at one moment (ISO 8601). */
type Counted = { quotas: readonly Quota[]; at: string };

/** The attempts of one call with one key in one second, in the form of `turnpike.count_attempts`. */
export type CountedGroup = {
  /** The number of the group within the call. */
  i: number;
  key: string;
  /** The second, and the number of attempts that are counted in it. */
  at: number;
  n: number;
  /** The quota: at most `most` attempts after the second `since`. */
  most: number;
  since: number;
  /** The number of attempts of the call with this key, in all seconds. */
  wanted: number;
};

/** Attempts are counted by the second, as if each were made at its end, so that none leaves its window too early. */
const secondOf = (at: string): number => Math.ceil(Date.parse(at) / 1000);

/** The last second before a quota's window. */
const sinceOf = ({ window_ms }: Quota, at: string): number => Math.floor((Date.parse(at) - window_ms) / 1000);

/** The attempts of several writes by key and second. */
export function groupsOf(counted: readonly Counted[]): CountedGroup[] {
  const groups = new Map<string, CountedGroup>();
  const wanted = new Map<string, number>();
  for (const { quotas, at } of counted) {
    const second = secondOf(at);
    for (const quota of quotas) {
      const { key, max } = quota;
      const since = sinceOf(quota, at);
      const group = groups.get(nameOf(key, second));
      if (group) Object.assign(group, { n: group.n + 1, since: Math.min(since, group.since) });
      else groups.set(nameOf(key, second), { i: groups.size, key, at: second, n: 1, most: max, since, wanted: 0 });
      wanted.set(key, (wanted.get(key) ?? 0) + 1);
    }
  }
  return [...groups.values()].map((group) => ({ ...group, wanted: wanted.get(group.key) ?? group.n }));
}

/**
 * The first quota of some attempts that is used up.
 * @param usedUp the numbers of the groups that are used up, each with the second that must leave its window first
 */
export function limitedIn(
  { quotas, at }: Counted,
  groups: readonly CountedGroup[],
  usedUp: ReadonlyMap<number, number>,
) {
  const numbers = new Map(groups.map(({ key, at, i }) => [nameOf(key, at), i]));
  for (const quota of quotas) {
    const blocking = usedUp.get(numbers.get(nameOf(quota.key, secondOf(at))) ?? -1);
    if (blocking !== undefined) return limitedUntil(quota, blocking);
  }
  return undefined;
}

const nameOf = (key: string, second: number): string => `${second} ${key}`;

function limitedUntil({ name, window_ms }: Quota, blocking: number): Limited {
  return { kind: 'limited', limit: name, until: new Date(blocking * 1000 + window_ms).toISOString() };
}

const peek = {
  name: 'peek-quotas',
  text: `SELECT i, blocking FROM unnest($1::text[], $2::bigint[], $3::bigint[]) WITH ORDINALITY AS q (key, most, since, i),
    LATERAL (SELECT at AS blocking FROM (SELECT c.at, sum(c.n) OVER (ORDER BY c.at DESC) AS total
        FROM turnpike.counted AS c WHERE c.key = q.key AND c.at > q.since AND c.at <= $4) AS newest
      WHERE total >= q.most ORDER BY at DESC LIMIT 1) AS last ORDER BY i LIMIT 1`,
};

/** Quotas that are counted without the write of an order. */
export function postgresQuotas(db: PostgresDatabase): QuotaStore {
  return {
    check: async (limits, at) => {
      if (limits.length === 0) return undefined;
      const [keys, max] = [limits.map(({ key }) => key), limits.map((quota) => String(quota.max))];
      const since = limits.map((quota) => sinceOf(quota, at));
      const [row] = await db.read(peek, keys, max, since, secondOf(countedAhead(at)));
      const quota = limits[Number(row?.i) - 1];
      return quota && limitedUntil(quota, Number(row?.blocking));
    },
    count: async (quotas, at) => {
      const groups = groupsOf([{ quotas, at }]);
      const [row] = await db.write([count, JSON.stringify(groups)]);
      if (typeof row?.used_up !== 'string') return undefined;
      const usedUp: [number, number][] = JSON.parse(row.used_up);
      return limitedIn({ quotas, at }, groups, new Map(usedUp));
    },
    uncount: async (quotas, at) => {
      await db.write([uncount, JSON.stringify(groupsOf([{ quotas, at }]))]);
    },
  };
}

const count = { name: 'count-attempt', text: 'SELECT turnpike.count_attempts($1) AS used_up' };

const uncount = {
  name: 'uncount-attempt',
  text: `UPDATE turnpike.counted AS c SET n = c.n - g.n FROM json_to_recordset($1) AS g (key text, at bigint, n integer)
    WHERE c.key = g.key AND c.at = g.at AND c.n >= g.n`,
};

/** The approximate number of rows on a page of `counted`. */
const ROWS_OF_PAGE = 50;

/**
 * The part of a plan that deletes attempts which were counted before a moment. It goes through the pages of the table
 * one after another: the time has no index, which every payment would have to write, and deleted rows are not read
 * again in each step.
 */
export function* forgetCounted({ before, limit, after }: PurgeStep): Plan<Walked> {
  const [from, pages] = [Number(after?.[0] ?? 0), Math.ceil(limit / ROWS_OF_PAGE)];
  const until = from + pages;
  const [gone = [], [size] = []] = yield* askAll(
    [forget, Math.floor(Date.parse(before) / 1000), `(${from},0)`, `(${until},0)`],
    [pagesOfCounted],
  );
  const isMore = until < Number(size?.pages);
  return { rows: gone, isMore, ...(isMore ? { last: [String(until)] } : {}) };
}

const forget = {
  name: 'purge-counted',
  text: 'DELETE FROM turnpike.counted WHERE ctid >= $2::text::tid AND ctid < $3::text::tid AND at < $1 RETURNING at',
};

const pagesOfCounted = {
  name: 'pages-of-counted',
  text: "SELECT pg_relation_size('turnpike.counted') / current_setting('block_size')::integer AS pages",
};
