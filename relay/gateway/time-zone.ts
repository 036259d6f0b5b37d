import { remembered } from '../../shared/checkout/remembered.ts';
import type { CalendarDate } from '../../shared/gateway/dates.ts';

/** True for the name of a time zone that this machine knows (IANA). */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The format of all parts of a local time in a time zone. Throws RangeError for an unknown zone. */
const formatIn = remembered(
  (timeZone: string) =>
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'iso8601',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    }),
);

/** The local time in a time zone at a moment, in whole seconds. Throws RangeError for an unknown zone. */
export function localTime(moment: Date, timeZone: string): CalendarDate {
  const shown = formatIn(timeZone).formatToParts(moment);
  const number = (type: Intl.DateTimeFormatPartTypes): number =>
    Number(shown.find((part) => part.type === type)?.value ?? '0');
  return {
    year: number('year'),
    month: number('month'),
    day: number('day'),
    hour: number('hour'),
    minute: number('minute'),
    second: number('second'),
  };
}

/**
 * The minutes that UTC is ahead of a time zone at a moment, as browsers and EMV 3-D Secure count: 180 for São Paulo, −60 for Lisbon in
 * summer. Throws RangeError for an unknown zone.
 */
export function offsetMinutes(moment: Date, timeZone: string): number {
  const { year, month, day, hour, minute, second } = localTime(moment, timeZone);
  const local = Date.UTC(year, month - 1, day, hour, minute, second);
  // Adding 0 makes the −0 of UTC a plain 0.
  return Math.round((moment.getTime() - local) / 60_000) + 0;
}

const HOUR_MS = 3_600_000;

/**
 * The moment, in milliseconds since 1970, of a local time in a time zone; the later one of two if clocks are set back, and the moment after
 * the gap if they are set forward. Throws RangeError for an unknown zone.
 */
export function latestInstant(date: CalendarDate, timeZone: string): number {
  const { year, month, day, hour, minute, second } = date;
  const asUtc = Date.UTC(year, month - 1, day, hour, minute, second);
  if (timeZone === 'UTC') return asUtc;
  const readBy = (near: number): number => asUtc + offsetMinutes(new Date(near), timeZone) * 60_000;
  // Computed with the offset of a moment near by, before and after any change of the clocks.
  const [before, after] = [readBy(asUtc - 24 * HOUR_MS), readBy(asUtc + 24 * HOUR_MS)];
  if (before === after) return before;
  const exact = [before, after].filter((moment) => readBy(moment) === moment);
  return Math.max(...(exact.length > 0 ? exact : [before, after]));
}
