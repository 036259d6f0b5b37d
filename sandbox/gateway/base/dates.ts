import type { CalendarDate } from '../../../shared/gateway/dates.ts';

/** The spec names no time zone; the sandbox speaks UTC. */
export function utc(at: Date): CalendarDate {
  return {
    year: at.getUTCFullYear(),
    month: at.getUTCMonth() + 1,
    day: at.getUTCDate(),
    hour: at.getUTCHours(),
    minute: at.getUTCMinutes(),
    second: at.getUTCSeconds(),
  };
}
