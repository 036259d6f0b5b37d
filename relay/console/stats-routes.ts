import type { Router } from 'express';
import { MAX_PERIODS, type Stats, type statsQuery } from '../../shared/api/stats.ts';
import { invalidFields, ProblemError, StoreError } from '../base/errors.ts';
import { createSemaphore } from '../base/semaphore.ts';
import type { Context } from '../context/context.ts';
import { serve } from '../http/serve.ts';
import { statsRoutes } from '../routes/console.ts';
import { PERIOD_MS } from '../store/stats/collect.ts';
import type { StatsSearch } from '../store/stats/search.ts';

/** The maximum number of requests at the same time. A console sends a few a minute. */
const MAX_ASKED = 20;

const TOO_MANY = 'Too many other figures are being computed. Try again in a moment.';
const NOT_COMPUTED = 'The figures could not be computed. Try again in a moment, or ask about a shorter time.';

/** The number of periods in the answer without `from`. */
const DEFAULT_PERIODS = { hour: 24, day: 30 };

/**
 * Counts and sums of the payments of an account.
 * @param upToDate brings the list of orders, whose payments are counted, up to date
 */
export function serveStats(context: Context, upToDate: () => Promise<void>): Router {
  // One at a time: payments need the other cores.
  const permits = createSemaphore(1);
  let asked = 0;
  const computed = async (search: StatsSearch): Promise<Stats> => {
    if (asked >= MAX_ASKED) throw new ProblemError('store_unavailable', TOO_MANY);
    asked++;
    const permit = await permits.acquire(search.account);
    try {
      const { account: _, ...about } = search;
      const computed_at = context.now().toISOString();
      await upToDate();
      return { ...about, time_zone: 'UTC', computed_at, ...(await context.store.stats.get(search)) };
    } catch (error) {
      throw error instanceof StoreError ? new ProblemError('store_unavailable', NOT_COMPUTED, { cause: error }) : error;
    } finally {
      permit.release();
      asked--;
    }
  };
  return serve(context, statsRoutes, {
    getStats: async ({ query, account }) => computed({ account: account.id, ...withTimes(query, context.now()) }),
  });
}

/**
 * The requested time in whole periods: each begins at a multiple of its length since 1970. Throws ProblemError for no period, and for
 * too many.
 */
function withTimes(
  { by, currency, ...given }: ReturnType<typeof statsQuery.parse>,
  now: Date,
): Omit<StatsSearch, 'account'> {
  const length = PERIOD_MS[by];
  const to = Math.ceil((given.to === undefined ? now.getTime() : Date.parse(given.to)) / length);
  const from = given.from === undefined ? to - DEFAULT_PERIODS[by] : Math.floor(Date.parse(given.from) / length);
  if (from >= to) throw wrongTime('must be before to');
  if (to - from > MAX_PERIODS[by]) throw wrongTime(`must be at most ${MAX_PERIODS[by]} ${by}s before to`);
  const startOf = (period: number): string => new Date(period * length).toISOString();
  return { by, from: startOf(from), to: startOf(to), ...(currency === undefined ? {} : { currency }) };
}

function wrongTime(message: string): ProblemError {
  return invalidFields([{ path: 'from', message }]);
}
