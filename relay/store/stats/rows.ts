import type { Row } from '../rows.ts';
import type { KeptTally, StatsSpan } from './search.ts';

/** The row of `stats_span`. */
export function spanFrom(row: Row | undefined): StatsSpan {
  return {
    since: String(row?.since ?? ''),
    until: String(row?.until ?? ''),
    claimed: String(row?.claimed ?? ''),
    version: Number(row?.version ?? 0),
  };
}

/** The tallies in rows that each have the version that they were read at, too. */
export function keptFrom(rows: readonly Row[]): { version: number; tallies: KeptTally[] } {
  return {
    version: Number(rows[0]?.version ?? 0),
    tallies: rows.flatMap(({ account, period, tally }) =>
      typeof tally === 'string' ? [{ account: String(account), period: String(period), tally }] : [],
    ),
  };
}
