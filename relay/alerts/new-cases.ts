import { z } from 'zod';
import type { Attention, AttentionCase, AttentionGroup } from '../../shared/api/attention.ts';
import type { Recipient } from '../config/alerts.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The waits after tries that failed, one after the other: a minute, doubled up to an hour. */
const FIRST_WAIT_MS = 60_000;
const MAX_WAIT_MS = HOUR_MS;

/** The cases of an account that a recipient was sent and that still wait, and the number of each kind. */
const known = z.object({ cases: z.array(z.string()), counts: z.record(z.string(), z.number()) });
export type Known = z.infer<typeof known>;

/** The stored state of a recipient. */
const sent = z.object({
  accounts: z.record(z.string(), known).default({}),
  /** When the last alerts were sent, or when there were none to send. */
  at: z.string().optional(),
  /** The day of the last summary, as `2027-03-31`. */
  summary_of: z.string().optional(),
  /** The accounts whose summaries of a later day were accepted. */
  summed: z.object({ day: z.string(), accounts: z.array(z.string()) }).optional(),
  failures: z.number().default(0),
  failed_at: z.string().optional(),
});
export type Sent = z.infer<typeof sent>;

/** Reads the stored state of a recipient. */
export function sentIn(state: string): Sent {
  return sent.parse(JSON.parse(state));
}

/** The new cases of a kind, and how many wait in all. */
export type NewGroup = Pick<AttentionGroup, 'kind' | 'count' | 'more' | 'cases'>;

/** Returns the new cases of an account for a recipient, and the known cases once they are sent. */
export function newCasesOf(attention: Attention, before: Known | undefined, { kinds }: Recipient) {
  const groups = attention.groups.filter(({ kind, count }) => count > 0 && isWanted(kind, kinds));
  const reported = new Set(before?.cases);
  const fresh = groups.flatMap(({ kind, count, more, cases }): NewGroup[] => {
    const unknown = cases.filter((one) => !reported.has(keyOf(kind, one)));
    // Only the oldest cases are listed: others show in the count.
    const isNew = unknown.length > 0 || count > (before?.counts[kind] ?? 0);
    return isNew ? [{ kind, count, cases: unknown, ...(more ? { more } : {}) }] : [];
  });
  const known: Known = {
    cases: groups.flatMap(({ kind, cases }) => cases.map((one) => keyOf(kind, one))),
    counts: Object.fromEntries(groups.map(({ kind, count }) => [kind, count])),
  };
  return { fresh, known };
}

/** These need no person yet. */
const QUIET: readonly string[] = ['order_asked', 'operation_asked', 'order_pending'];

function isWanted(kind: string, kinds: readonly string[] | undefined): boolean {
  return kinds ? kinds.includes(kind) : !QUIET.includes(kind);
}

/** `since` is left out: a difference that stands is reported by each reconciliation. */
function keyOf(kind: string, one: AttentionCase): string {
  const { order_no, transaction_id, recurring_id, operation_id, event_id, approval_id, why } = one;
  const subject = approval_id ?? event_id ?? operation_id ?? recurring_id ?? order_no;
  return [kind, subject, transaction_id, why].join(' ');
}

/** Whether alerts are due for a recipient. A future time was written by a wrong clock. */
export function isDue({ every }: Recipient, { at }: Sent, now: Date, dailyAt: string): boolean {
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
export function lastSummary({ summary_of }: Sent, now: Date, dailyAt: string): string {
  const ended = endedDay(now, dailyAt);
  return summary_of === undefined || summary_of > ended ? ended : summary_of;
}

/** The day of the summary that is due. The first summary is of the day of the recipient's first check. */
export function summaryDue(
  { summary }: Recipient,
  { summary_of }: Sent,
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
export function mayTry({ failures, failed_at }: Sent, now: Date): boolean {
  if (failed_at === undefined) return true;
  const passed = now.getTime() - Date.parse(failed_at);
  return passed < 0 || passed >= Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 10));
}
