import type { Recipient } from '../config/alerts.ts';
import type { RecipientState } from './recipient-state.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The waits after tries that failed, one after the other: a minute, doubled up to an hour. */
const FIRST_WAIT_MS = 60_000;
const MAX_WAIT_MS = HOUR_MS;

/** Whether alerts are due for a recipient. A future time was written by a wrong clock. */
export function isDue({ every }: Recipient, { at }: RecipientState, now: Date, dailyAt: string): boolean {
  if (at === undefined || Date.parse(at) > now.getTime()) return true;
  switch (every) {
    case 'minute':
      return true;
    case 'hour':
      return Math.floor(Date.parse(at) / HOUR_MS) < Math.floor(now.getTime() / HOUR_MS);
    case 'day':
      return Date.parse(at) < lastDaily(now, dailyAt);
  }
}

/** The day of the last summary. A future day was written by a wrong clock. */
export function lastSummary({ summary_of }: RecipientState, now: Date, dailyAt: string): string {
  const ended = endedDay(now, dailyAt);
  return summary_of === undefined || summary_of > ended ? ended : summary_of;
}

/** The day of the summary that is due. The first summary is of the day of the recipient's first check. */
export function summaryDue(
  { summary }: Recipient,
  { summary_of }: RecipientState,
  now: Date,
  dailyAt: string,
): string | undefined {
  const day = endedDay(now, dailyAt);
  return summary && summary_of !== undefined && summary_of < day ? day : undefined;
}

/** The last day with a summary, as `2027-03-31`. */
export function endedDay(now: Date, dailyAt: string): string {
  return new Date(lastDaily(now, dailyAt) - DAY_MS).toISOString().slice(0, 10);
}

/** The last time that it was `dailyAt`. */
function lastDaily(now: Date, dailyAt: string): number {
  const today = Date.parse(`${now.toISOString().slice(0, 10)}T${dailyAt}:00.000Z`);
  return today <= now.getTime() ? today : today - DAY_MS;
}

/** Whether the wait after tries that failed is over. */
export function mayTry({ failures, failed_at }: RecipientState, now: Date): boolean {
  if (failed_at === undefined) return true;
  const passed = now.getTime() - Date.parse(failed_at);
  return passed < 0 || passed >= Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 10));
}
