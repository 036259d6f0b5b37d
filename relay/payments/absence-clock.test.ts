import { describe, expect, it } from 'vitest';
import { type ClearQueries, isAbsenceProved, type Moment, noClearQueries, withClearQuery } from './absence-clock.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const absent = 15 * MINUTE;

/** A query of a process, so long after it started, while its clock is ahead by so much. */
const query = (process: string, ms: number, ahead = 0): Moment => ({
  at: new Date(Date.UTC(2026, 0, 1) + ms + ahead).toISOString(),
  process,
  monotonic_ms: ms,
});

const clearAfter = (...queries: Moment[]): ClearQueries =>
  queries.reduce((clear, one) => withClearQuery(clear, one, absent), noClearQueries);

describe('the time between queries', () => {
  it('is measured by the monotonic clock of their process', () => {
    expect(clearAfter(query('a', 0), query('a', MINUTE), query('a', 3 * MINUTE, HOUR))).toMatchObject({
      queries: 3,
      waited_ms: 3 * MINUTE,
    });
    expect(clearAfter(query('a', 0), query('a', MINUTE, -HOUR)).waited_ms).toBe(MINUTE);
  });

  it('counts at most a third of the wait between two processes', () => {
    expect(clearAfter(query('a', 0), query('b', MINUTE)).waited_ms).toBe(MINUTE);
    expect(clearAfter(query('a', 0), query('b', 0, HOUR)).waited_ms).toBe(absent / 3);
    expect(clearAfter(query('a', 0), query('b', 0, -HOUR)).waited_ms).toBe(0);
  });

  it('counts a third of the wait between all processes together', () => {
    const restarts = [query('a', 0), query('b', 0, HOUR), query('c', 0), query('d', 0, HOUR)];
    expect(clearAfter(...restarts)).toMatchObject({ queries: 4, waited_ms: absent / 3 });
    expect(clearAfter(...restarts, query('d', MINUTE, HOUR)).waited_ms).toBe(absent / 3 + MINUTE);
    expect(clearAfter(query('a', 0), query('b', MINUTE), query('c', 3 * MINUTE)).waited_ms).toBe(3 * MINUTE);
  });

  it('counts what processes disagree about once', () => {
    const turns = [0, 1, 2, 3, 4, 5].flatMap((n) => [query('a', n * SECOND), query('b', n * SECOND, HOUR)]);
    expect(clearAfter(...turns).waited_ms).toBe(absent / 3 + 5 * SECOND);
  });
});

describe('nothing undecided', () => {
  it('is proved by three queries over the whole time', () => {
    expect(isAbsenceProved(clearAfter(query('a', 0), query('a', absent / 2), query('a', absent)), absent)).toBe(true);
    expect(isAbsenceProved(clearAfter(query('a', 0), query('a', absent / 2), query('a', absent - 1)), absent)).toBe(
      false,
    );
    expect(isAbsenceProved(clearAfter(query('a', 0), query('a', absent)), absent)).toBe(false);
    expect(isAbsenceProved(clearAfter(query('a', 0)), 0)).toBe(false);
  });

  it('is not proved by a clock that is set forward', () => {
    const quick = [0, 2, 4, 6, 8].map((second) => query('a', second * SECOND, HOUR));
    expect(isAbsenceProved(clearAfter(query('a', 0), ...quick), absent)).toBe(false);
  });

  it('is not proved in seconds by a restart', () => {
    const again = [0, 2, 4].map((second) => query('b', second * SECOND, HOUR));
    expect(isAbsenceProved(clearAfter(query('a', 0), query('a', 2 * SECOND), ...again), absent)).toBe(false);
  });
});
